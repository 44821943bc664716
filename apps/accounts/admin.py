from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_id_token_model,
    get_refresh_token_model,
)
from unfold.forms import AdminPasswordChangeForm, UserChangeForm

from apps.accounts.models import ApiKey, FounderProfile, User
from apps.core.admin import ModelAdmin


class NewUserForm(forms.ModelForm[User]):
    """A new account; the password is set on the next page."""

    class Meta:
        model = User
        fields = ("email", "name")


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # two bases with fieldsets of their own
    form = UserChangeForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "joined_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Times", {"fields": ("joined_at", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name")}),)
    filter_horizontal = ("groups",)


@admin.register(ApiKey)
class ApiKeyAdmin(ModelAdmin):
    list_display = ("name", "prefix", "owner", "created_at", "last_used_at")
    search_fields = ("name", "prefix", "token__user__email")
    readonly_fields = ("name", "prefix", "owner", "created_at", "last_used_at")
    exclude = ("token",)

    @admin.display(description="account")
    def owner(self, key: ApiKey) -> str:
        return str(key.token.user)

    def has_add_permission(self, request: object) -> bool:
        return False


@admin.register(FounderProfile)
class FounderProfileAdmin(ModelAdmin):
    list_display = ("user", "real_name", "role", "updated_at")
    search_fields = ("user__email", "real_name")


# Tokens are secrets of people: nothing in the admin shows or makes them.
for hidden in (
    get_access_token_model(),
    get_application_model(),
    get_grant_model(),
    get_id_token_model(),
    get_refresh_token_model(),
    Group,
):
    if admin.site.is_registered(hidden):
        admin.site.unregister(hidden)
