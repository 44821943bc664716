"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.retention import Retention

RETENTION = (
    Retention(model="analytics.DailyStatistics", days="statistics", since="day"),
    Retention(model="analytics.DailyReferrer", days="statistics", since="day"),
)

IMPERSONAL = {
    "analytics.DailyReferrer": "daily numbers of a listing",
    "analytics.DailyStatistics": "daily numbers of a listing",
    "analytics.StatisticsBatch": "which counts were written",
}
