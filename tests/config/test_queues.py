"""A burst of one kind of work doesn't hold up periodic tasks: a worker takes from its queues in turns."""

from kombu.transport.redis import Channel

from apps.core.operations.checks.health import QUEUES
from apps.orders.tasks import print_invoice
from config.celery import app


def test_a_worker_takes_invoices_and_periodic_tasks_in_turns() -> None:
    assert set(app.amqp.queues.consume_from) == {app.conf.task_default_queue, "invoices"}
    assert app.amqp.router.route({}, print_invoice.name)["queue"].name == "invoices"
    options = app.conf.broker_transport_options
    assert options.get("queue_order_strategy", Channel.queue_order_strategy) == "round_robin"


def test_every_queue_is_watched() -> None:
    routes = {str(route["queue"]) for route in app.conf.task_routes.values()}
    assert routes | {app.conf.task_default_queue} == set(QUEUES)
