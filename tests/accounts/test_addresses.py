"""Accounts from before sign-up can sign in after the migration."""

from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.sites.models import Site
from tests.accounts.people import browser, sign_in
from tests.factories import UserFactory


def test_their_addresses_count_as_verified(site: Site) -> None:
    old, unproven = UserFactory.create(), UserFactory.create()
    EmailAddress.objects.filter(user=old).delete()
    EmailAddress.objects.filter(user=unproven).update(verified=False)
    import_module("apps.accounts.migrations.0004_verified_addresses").verify_addresses(apps, None)
    assert sign_in(browser(), old.email)["Location"] == "/account"
    assert sign_in(browser(), unproven.email)["Location"] == "/account/verify"


def test_no_account_has_an_address_in_upper_case(site: Site) -> None:
    user = UserFactory.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=user.pk).update(email="Owner@example.com")
