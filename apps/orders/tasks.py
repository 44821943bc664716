"""Background work of orders."""

from celery import shared_task

from apps.orders import fulfilment, refunds


@shared_task
def fulfil_order(order_id: int) -> None:
    fulfilment.fulfil_order(order_id)
    refunds.make_refunds(order_id)


@shared_task
def make_refunds(order_id: int) -> None:
    refunds.make_refunds(order_id)


@shared_task
def sweep_orders() -> None:
    # The sweep settles payments, and settling starts the tasks above.
    from apps.orders import sweep

    sweep.sweep_orders()
