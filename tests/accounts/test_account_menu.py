"""The account menu of every page."""

import pytest
from django.test import Client

from tests.factories import UserFactory

pytestmark = pytest.mark.db


@pytest.mark.parametrize("is_staff", [True, False])
def test_only_staff_find_the_admin_there(client: Client, site: object, is_staff: bool) -> None:
    person = UserFactory.create(is_staff=is_staff)
    client.force_login(person)
    assert ('<a href="/admin/">Admin</a>' in client.get("/account").content.decode()) is is_staff
