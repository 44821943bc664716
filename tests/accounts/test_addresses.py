"""Addresses of accounts are kept in lower case."""

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.sites.models import Site
from tests.factories import UserFactory

pytestmark = pytest.mark.db


def test_no_account_has_an_address_in_upper_case(site: Site) -> None:
    user = UserFactory.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=user.pk).update(email="Owner@example.com")
