"""Where a form leads back to."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_path(request: HttpRequest, otherwise: str) -> str:
    """The path of this site that the form names as `next`; `otherwise` for none, and for what leads elsewhere."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    return target if is_ours and target.startswith("/") else otherwise
