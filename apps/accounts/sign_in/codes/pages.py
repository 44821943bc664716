"""Pages that ask for a code from an email. When a code no longer works, they say so and offer a new one."""

import secrets
import time
from typing import Any

from allauth.account import app_settings
from allauth.account import views as account
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.email_verification_by_code import (
    EMAIL_VERIFICATION_CODE_SESSION_KEY,
    EmailVerificationProcess,
)
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.manage_email import sync_user_email_address
from allauth.account.internal.flows.password_reset_by_code import (
    PASSWORD_RESET_VERIFICATION_SESSION_KEY,
    PasswordResetVerificationProcess,
)
from allauth.core.internal.httpkit import add_query_params
from allauth.mfa.base import views as mfa
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.actors import account_of
from apps.accounts.sign_in.codes.waits import why_no_code
from apps.accounts.sign_in.forms import CodeByEmailAgainForm
from apps.accounts.sign_in.reauthentication import CodeByEmail

EXPIRED, TOO_MANY_WRONG = "code_expired", "too_many_wrong_codes"
_PROBLEMS = {
    EXPIRED: "This code has expired. Send a new one below.",
    TOO_MANY_WRONG: "Too many wrong codes. This code no longer works. Send a new one below.",
}
_NO_SIGN_UP = "This code no longer works. Sign in, and we’ll send a new one if your email isn’t verified yet."
_GONE = "This code was already used or has expired."
_NO_RESET = "This code no longer works. Send a new one."


def tell(form: Any, problem: str) -> None:
    """Show a problem at the code's field in place of others."""
    # Sessions from before an upgrade hold the text itself.
    shown = ValidationError(_PROBLEMS.get(problem, problem), code=problem)
    form.errors["code"] = form.error_class([shown])


class EmailedCodePage:
    """Keep the form after too many wrong codes, and after the code has expired.

    The code is then replaced by one that nobody knows, so that the process waits for a new one.
    """

    request: HttpRequest
    _process: AbstractCodeVerificationProcess

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # allauth's views have it
        return {**context, "has_ended": "problem" in self._process.state}

    def form_invalid(self, form: Any) -> HttpResponse:
        sent = self._process
        if problem := sent.state.get("problem"):
            return self._tell(form, problem)
        if sent.state["failed_attempts"] + 1 < sent.max_attempts:
            response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]  # allauth's views have it
            return response
        _wait_for_another(sent, TOO_MANY_WRONG)
        return self._tell(form, TOO_MANY_WRONG)

    def _tell(self, form: Any, problem: str) -> HttpResponse:
        tell(form, problem)
        page: HttpResponse = self.render_to_response(self.get_context_data(form=form))  # type: ignore[attr-defined]
        return page


class VerifyPage(EmailedCodePage, account.ConfirmEmailVerificationCodeView):
    """Ask for the code of a sign-up or of a new address, and keep `next` when starting again."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        state = request.session.get(EMAIL_VERIFICATION_CODE_SESSION_KEY)
        # As long as a sign-in may take, also where no account is behind it.
        if state and time.time() - state.setdefault("began_at", state["at"]) <= app_settings.LOGIN_TIMEOUT:
            _expire(EmailVerificationProcess(request, state))
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        is_gone = self._process is None or (request.user.is_anonymous and _is_to_sign_in(response))
        if is_gone and (state or request.method == "POST"):
            messages.warning(request, _GONE if request.user.is_authenticated else _NO_SIGN_UP)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "start_again_url": self._with_next(reverse("account_signup"))}

    def _resend_form_valid(self, form: Any) -> HttpResponse:
        sent = self._process
        if problem := why_no_code(self.request, action="confirm_email", email=sent.state["email"]):
            messages.error(self.request, problem)
            return redirect(self.passthrough_next_url(reverse("account_email_verification_sent")))
        _begin_again(sent)
        response: HttpResponse = super()._resend_form_valid(form)
        return response

    def _with_next(self, url: str) -> str:
        next_url = self.stage.login.redirect_url if self.stage else None
        return str(add_query_params(url, {REDIRECT_FIELD_NAME: next_url})) if next_url else url


class ResetCodePage(EmailedCodePage, account.ConfirmPasswordResetCodeView):
    """Ask for the code that allows to choose a new password."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        state = request.session.get(PASSWORD_RESET_VERIFICATION_SESSION_KEY)
        if state and not state.get("code_confirmed"):
            _expire(PasswordResetVerificationProcess(request, state))
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response if self._process else _start_reset_again(self)

    def form_valid(self, form: Any) -> HttpResponse:
        # The code proves the email. allauth marks only known addresses as verified, and would ask for a second code.
        sync_user_email_address(self._process.user)
        response: HttpResponse = super().form_valid(form)
        return response


class NewPasswordPage(account.CompletePasswordResetView):
    """Choose a new password, while the code that was entered allows it."""

    def dispatch(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().dispatch(request, **kwargs)
        return response if self._process else _start_reset_again(self)


class ResetPage(account.PasswordResetView):
    """Send a code that allows to choose a new password, or say when."""

    def form_valid(self, form: Any) -> HttpResponse:
        email = form.cleaned_data["email"]
        problem = why_no_code(self.request, action="reset_password", email=email)
        sent = self.request.session.get(PASSWORD_RESET_VERIFICATION_SESSION_KEY, {})
        if problem and sent.get("email") == email:
            # The code that was sent still works.
            messages.error(self.request, problem)
            return redirect(self.get_success_url())
        if problem:
            form.add_error("email", problem)
        response: HttpResponse = self.form_invalid(form) if problem else super().form_valid(form)
        return response


class CodeByEmailAgainPage(LoginRequiredMixin, account.BaseReauthenticateView):
    """Ask for the code. Opening the page sends it, unless one was sent already."""

    form_class = CodeByEmailAgainForm
    template_name = "account/reauthenticate_by_email.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not CodeByEmail(request).is_valid():
            self._send()
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.POST.get("action") == "resend":
            self._send()
            return redirect(self.passthrough_next_url(reverse("reauthenticate_by_email")))
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def get_form_kwargs(self) -> dict[str, Any]:
        sent = CodeByEmail(self.request)
        return {**super().get_form_kwargs(), "code": sent.code if sent.is_valid() else ""}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "email": account_of(self.request).email}

    def form_valid(self, form: CodeByEmailAgainForm) -> HttpResponse:
        CodeByEmail(self.request).abort()
        record_authentication(self.request, account_of(self.request), method="code", reauthenticated=True)
        response: HttpResponse = super().form_valid(form)
        return response

    def form_invalid(self, form: CodeByEmailAgainForm) -> HttpResponse:
        sent = CodeByEmail(self.request)
        if not sent.is_valid():
            tell(form, EXPIRED)
        elif not sent.record_invalid_attempt():
            tell(form, TOO_MANY_WRONG)
        response: HttpResponse = super().form_invalid(form)
        return response

    def _send(self) -> None:
        if not CodeByEmail(self.request).try_send():
            messages.error(self.request, "Too many codes. Try again in an hour.")


def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for the second factor, or say that the sign-in took too long."""
    response: HttpResponse = mfa.authenticate(request)
    if request.method == "POST" and request.user.is_anonymous and _is_to_sign_in(response):
        messages.warning(request, "That took too long. Sign in again.")
    return response


def _is_to_sign_in(response: HttpResponse) -> bool:
    """Return whether a response leads back to the beginning of signing in."""
    return response.get("Location", "") == reverse("account_login")


def _start_reset_again(page: Any) -> HttpResponse:
    """Lead from a code that is gone to the form that sends one."""
    messages.warning(page.request, _NO_RESET)
    return redirect(page.passthrough_next_url(reverse("account_reset_password")))


def _expire(sent: AbstractCodeVerificationProcess) -> None:
    """Wait for another code if the one that was sent has expired."""
    if not sent.is_valid():
        sent.state["at"] = time.time()
        _wait_for_another(sent, EXPIRED)


def _wait_for_another(sent: AbstractCodeVerificationProcess, problem: str) -> None:
    """Replace the code by one that is too long to be guessed. The page says `problem` until a new one is sent."""
    sent.state |= {"problem": problem, "failed_attempts": 0}
    # A reset for an address without an account has no code.
    if sent.code:
        sent.state["code"] = secrets.token_hex(32)
    sent.persist()


def _begin_again(sent: AbstractCodeVerificationProcess) -> None:
    """Let a code that is about to be sent live as long as the first."""
    sent.state |= {"at": time.time(), "failed_attempts": 0}
    sent.state.pop("problem", None)
