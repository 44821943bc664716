"""The seller's step of a site's setup page."""

from typing import Any, ClassVar

from django import forms

from apps.orders.admin.sellers import SellerForm
from apps.orders.models import SellerSettings
from apps.sites.models import Site
from apps.sites.setup import Step, register_step


class SellerStepForm(SellerForm):
    class Meta(SellerForm.Meta):
        model = SellerSettings
        fields = ("legal_name", "address", "country", "email", "is_vat_registered", "vat_number")
        widgets: ClassVar = {"address": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, site: Site, **kwargs: Any) -> None:
        kwargs["instance"] = SellerSettings.objects.filter(site=site).first() or SellerSettings(site=site)
        super().__init__(*args, **kwargs)


register_step(
    Step(
        key="seller",
        place=4,
        title="Seller",
        text="Required for real payments. Printed on invoices.",
        permission="orders.change_sellersettings",
        form=SellerStepForm,
        is_done=lambda site: SellerSettings.objects.filter(site=site).exists(),
    )
)
