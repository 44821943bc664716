"""Periodic tasks and their intervals in seconds."""

BEAT = {
    "orders-recover": {"task": "apps.orders.tasks.recover_orders", "schedule": 30.0},
}
