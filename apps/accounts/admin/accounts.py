from collections.abc import Iterator
from typing import Any, ClassVar, cast

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_id_token_model,
    get_refresh_token_model,
)
from unfold.forms import AdminPasswordChangeForm, UserChangeForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from apps.accounts.admin import decisions
from apps.accounts.models import ApiKey, Application, User
from apps.accounts.models.users import mark_email_verified
from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import Decides

_ACTIONS = {"view": "View", "add": "Add", "change": "Change and approve", "delete": "Delete"}


class GroupForm(forms.ModelForm[Group]):
    """Choose permissions for models with admin pages, because nothing else checks them."""

    permissions = forms.ModelMultipleChoiceField(
        queryset=Permission.objects.none(),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        label="Permissions",
        help_text="Approving, refunding and revoking require the change permission.",
    )

    class Meta:
        model = Group
        fields: ClassVar = ("name", "permissions")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[Permission]", self.fields["permissions"])
        field.queryset = _permissions()
        field.choices = list(_choices(field.queryset))

    def clean_permissions(self) -> QuerySet[Permission]:
        """Return the ticked permissions and those the group has outside the form."""
        chosen: QuerySet[Permission] = self.cleaned_data["permissions"]
        unlisted = self.instance.permissions.exclude(pk__in=_permissions()) if self.instance.pk else chosen.none()
        return Permission.objects.filter(pk__in=[one.pk for one in (*chosen, *unlisted)])


def _permissions() -> QuerySet[Permission]:
    kinds = ContentType.objects.get_for_models(*filter(admin.site.is_registered, apps.get_models()))
    result = Permission.objects.filter(content_type__in=kinds.values()).select_related("content_type")
    return result.order_by("content_type__app_label", "content_type__model", "codename")


def _choices(permissions: QuerySet[Permission]) -> Iterator[tuple[Any, str]]:
    for permission in permissions:
        action, _, _ = permission.codename.partition("_")
        model = permission.content_type.model_class()
        what = capfirst(str(model._meta.verbose_name_plural)) if model else permission.content_type.name
        yield permission.pk, f"{what}: {_ACTIONS.get(action, permission.name).lower()}"


__all__ = ["ApiKeyAdmin", "ApplicationAdmin", "GroupAdmin", "UserAdmin"]

# Admins sign in like everyone else, with the same second factor and limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # the way allauth means it

# Tokens are secrets, so the admin neither shows nor creates them. Clients get their own page below.
for hidden in (
    get_access_token_model(),
    get_application_model(),
    get_grant_model(),
    get_id_token_model(),
    get_refresh_token_model(),
    EmailAddress,
    EmailConfirmation,
    Authenticator,
    UserSession,
    SocialAccount,
    SocialApp,
    SocialToken,
    Group,
):
    if admin.site.is_registered(hidden):
        admin.site.unregister(hidden)


class NewUserForm(forms.ModelForm[User]):
    """A new account. Its password is set on the next page."""

    class Meta:
        model = User
        fields = ("email", "name")


@admin.register(User)
class UserAdmin(Decides, DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # two bases with fieldsets of their own
    form = UserChangeForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "joined_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("joined_at", "last_login", "deletion_due_at", "erased_at")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name")}),)
    filter_horizontal = ()
    readonly_fields = ("deletion_due_at", "erased_at")
    actions = ("remove_second_factors", "export_data", "delete_account", "keep_account")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Permission to change accounts doesn't include granting permissions, least of all to oneself."""
        result = tuple(super().get_readonly_fields(request, obj))
        return result if _may_all(request) else (*result, "is_staff", "is_superuser", "groups")

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(
            db_field, request, **{**kwargs, "widget": UnfoldAdminCheckboxSelectMultipleWidget}
        )

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse Django's own deletion. `delete_account` waits 14 days and keeps what has to be kept."""
        return False

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return super().has_delete_permission(request)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account. The admin vouches for its email address."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        mark_email_verified(obj)

    @admin.action(description="Remove two-step verification", permissions=["change"])
    def remove_second_factors(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse:
        return self.ask(request, users, decisions.REMOVE_SECOND_FACTORS, back=request.get_full_path())

    @admin.action(description="Send data export", permissions=["change"])
    def export_data(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse:
        return self.ask(request, users, decisions.EXPORT_DATA, back=request.get_full_path())

    @admin.action(description="Delete account", permissions=["erase"])
    def delete_account(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse:
        return self.ask(request, users, decisions.DELETE_ACCOUNT, back=request.get_full_path())

    @admin.action(description="Keep account", permissions=["erase"])
    def keep_account(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse:
        return self.ask(request, users, decisions.KEEP_ACCOUNT, back=request.get_full_path())


def _may_all(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def _may_touch(request: HttpRequest, user: User | None) -> bool:
    """Protect staff accounts: changing their email or password would give access to all their permissions."""
    return user is None or not (user.is_staff or user.is_superuser) or _may_all(request)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):  # type: ignore[misc]  # two bases that are both an admin page
    """Permissions of a group's members in the admin. Accounts join groups on their own pages."""

    form = GroupForm
    filter_horizontal = ()
    list_display = ("name", "members", "rights")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Protect groups: their editors could grant themselves permissions."""
        return super().has_add_permission(request) and _may_all(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_all(request)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_all(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        groups: QuerySet[Group] = super().get_queryset(request)
        return groups.annotate(
            people=Count("user", distinct=True), permission_count=Count("permissions", distinct=True)
        )

    @admin.display(description="accounts", ordering="people")
    def members(self, group: Any) -> int:
        return int(group.people)

    @admin.display(description="permissions", ordering="permission_count")
    def rights(self, group: Any) -> int:
        return int(group.permission_count)


@admin.register(ApiKey)
class ApiKeyAdmin(Decides, ModelAdmin):
    """API keys of all accounts, including revoked ones. Admins can only revoke them."""

    list_display = ("name", "prefix", "user", "state", "created_at", "last_used_at", "expires_at")
    list_filter = ("created_at", "last_used_at", "revoked_at")
    search_fields = ("name", "prefix", "user__email")
    fields = (
        "name",
        "prefix",
        "user",
        "rights",
        "state",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
        "replaced_by",
        "warned_at",
    )
    readonly_fields = fields
    actions = ("revoke",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys: QuerySet[ApiKey] = super().get_queryset(request)
        return keys.select_related("user", "replaced_by")

    @admin.display(description="permissions")
    def rights(self, key: ApiKey) -> str:
        return "; ".join(key.scope_texts)

    @admin.display(description="status")
    def state(self, key: ApiKey) -> str:
        return str(key.state.label)

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> HttpResponse:
        return self.ask(request, keys, decisions.REVOKE, back=request.get_full_path())

    def has_add_permission(self, request: object) -> bool:
        return False


@admin.register(Application)
class ApplicationAdmin(Decides, ModelAdmin):
    """OAuth clients. They register themselves, so admins can only block them."""

    list_display = ("label", "source", "is_active", "connected", "created")
    list_filter = ("is_active", "registration_source")
    actions = ("block", "allow")
    search_fields = ("name", "client_id", "redirect_uris")
    fields = ("name", "client_id", "source", "redirect_uris", "created", "is_active")
    readonly_fields = ("name", "client_id", "source", "redirect_uris", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Application]:
        clients: QuerySet[Application] = super().get_queryset(request).annotate(people=Count("connections"))
        return clients

    @admin.display(description="known by")
    def source(self, client: Application) -> str:
        return f"document at {client.verified_host}" if client.verified_host else "self-reported"

    @admin.display(description="accounts", ordering="people")
    def connected(self, client: Any) -> int:
        people: int = client.people
        return people

    def has_add_permission(self, request: object) -> bool:
        return False

    @admin.action(description="Block", permissions=["change"])
    def block(self, request: HttpRequest, clients: QuerySet[Application]) -> HttpResponse:
        return self.ask(request, clients, decisions.BLOCK, back=request.get_full_path())

    @admin.action(description="Allow again", permissions=["change"])
    def allow(self, request: HttpRequest, clients: QuerySet[Application]) -> HttpResponse:
        return self.ask(request, clients, decisions.ALLOW, back=request.get_full_path())
