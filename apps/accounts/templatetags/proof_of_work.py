"""The challenge of proof of work for templates."""

from django import template

from apps.accounts.sign_in.proof_of_work import new_challenge

register = template.Library()
register.simple_tag(new_challenge)
