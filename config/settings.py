"""Project settings. docs/operations/settings.md lists every variable read here."""

import secrets
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from apps.core.app_modules import app_modules
from config import __version__, cors, databases, env, local, media, oauth, sign_in
from config.email_urls import email_server
from config.logs import logging_config
from config.redis_urls import redis_urls
from config.serving.capacity import web_processes

BASE_DIR = Path(__file__).resolve().parent.parent
_is_checkout = (BASE_DIR / "manage.py").exists()
# A wheel carries templates and static files inside this package.
FILES_DIR = BASE_DIR if _is_checkout else BASE_DIR / "config" / "files"
# What pages tell operators to run.
COMMAND = "python manage.py" if _is_checkout else "slipway"
DATA_DIR = Path(env.text("SLIPWAY_DATA_DIR", str((BASE_DIR if _is_checkout else Path.cwd()) / ".slipway")))

DEBUG = env.flag("DEBUG")

# What production requires and forbids: see apps.core.operations.checks.production.
PUBLIC_BASE_URL_IS_SET = bool(env.text("PUBLIC_BASE_URL"))
ALLOW_HTTP = env.flag("ALLOW_HTTP")
PUBLIC_BASE_URL = env.base_url("PUBLIC_BASE_URL", "http://127.0.0.1:8000")
_public = urlsplit(PUBLIC_BASE_URL)
PUBLIC_HOST: str = _public.hostname or ""
IS_LOOPBACK = PUBLIC_HOST in {"localhost", "127.0.0.1", "::1"} or PUBLIC_HOST.endswith(".localhost")

# Local mode is for `manage.py up` and tests: the project's own engines, or no production requirements.
# A public URL means production, even if DATABASE_URL was forgotten.
LOCAL = env.flag("SLIPWAY_LOCAL", default=IS_LOOPBACK and not env.text("DATABASE_URL"))

SECRET_KEY_IS_SET = bool(env.text("SECRET_KEY"))
# Production requires its own key. Until then, use one that nobody can know.
SECRET_KEY = env.text("SECRET_KEY") or (local.secret_key(DATA_DIR) if LOCAL else secrets.token_urlsafe(50))
SECRET_KEY_FALLBACKS = list(env.items("SECRET_KEY_FALLBACKS"))

ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", (PUBLIC_HOST,))
if IS_LOOPBACK:
    ALLOWED_HOSTS += ["127.0.0.1", "localhost", ".localhost", "[::1]"]

# ---- engines ----
_engines = local.addresses(DATA_DIR)
DATABASE_URL, REDIS_URL = env.text("DATABASE_URL"), env.text("REDIS_URL")
DATABASES = {"default": databases.from_url(DATABASE_URL or _engines.database_url)}
DATABASE_REPLICA_URL = env.text("DATABASE_REPLICA_URL")
if DATABASE_REPLICA_URL:
    DATABASES["replica"] = databases.replica_from_url(DATABASE_REPLICA_URL)
    DATABASE_ROUTERS = ["apps.core.stores.replica.router.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
_redis = redis_urls(REDIS_URL or _engines.redis_url)
REDIS_LIMITS_URL = _redis.limits
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": _redis.cache,
        "KEY_PREFIX": "slipway",
        "OPTIONS": {
            "serializer": "apps.core.stores.valkey.serializer.JsonSerializer",
            # A running server answers in less than a thousandth of this, while requests wait.
            "socket_timeout": 1,
            "socket_connect_timeout": 1,
        },
    },
    # Parts of pages, by all that they show: at most 4 MB in each process.
    "fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "TIMEOUT": 3600,
        "OPTIONS": {"MAX_ENTRIES": 2_000},
    },
}

# ---- applications ----
INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "oauth2_provider",
    "corsheaders",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.google",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "config",
    "apps.core",
    "apps.sites",
    "apps.blocklists",
    "apps.accounts",
    "apps.events",
    "apps.moderation",
    "apps.webhooks",
    "apps.listings",
    "apps.comments",
    "apps.reviews",
    "apps.launches",
    "apps.analytics",
    "apps.curation",
    "apps.drafts",
    "apps.orders",
    "apps.newsletter",
    "apps.notifications",
    "apps.stories",
    "apps.directory",
    "apps.mcp",
]
# Not in the wheel.
if LOCAL and find_spec("apps.developers"):
    INSTALLED_APPS.append("apps.developers")
if find_spec("django_linear_migrations"):
    INSTALLED_APPS.append("django_linear_migrations")

MIDDLEWARE = [
    "apps.core.web.middleware.RequestIdMiddleware",
    "apps.core.web.middleware.HealthMiddleware",
    "apps.core.web.middleware.TrailingSlashMiddleware",
    "apps.core.web.middleware.OptionsMiddleware",
    "apps.core.web.middleware.ProxyMiddleware",
    "apps.core.web.middleware.BodyLimitMiddleware",
    "apps.core.web.markdown.pages.MarkdownMiddleware",
    "apps.core.web.middleware.CompressPagesMiddleware",
    "apps.core.web.public_cache.middleware.PublicCacheMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "apps.core.web.static_files.StaticFilesMiddleware",
    "apps.core.web.middleware.ContentSecurityPolicyMiddleware",
    "apps.core.web.middleware.OpenerMiddleware",
    "apps.core.web.middleware.PrivateAnswerMiddleware",
    # Outside the error handling: if the replica fails, the primary answers.
    "apps.core.web.public_reads.ReplicaMiddleware",
    "apps.core.web.middleware.OutageMiddleware",
    "apps.core.web.middleware.ApiErrorMiddleware",
    "apps.core.web.middleware.RateLimitHeadersMiddleware",
    "apps.events.actors.PresentRequestMiddleware",
    "apps.sites.middleware.CurrentSiteMiddleware",
    "apps.accounts.sign_in.sessions.BrowserSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "apps.accounts.sign_in.sessions.BrowserUserMiddleware",
    "apps.accounts.sign_in.sessions.BrowserMessageMiddleware",
    "apps.core.editing.kept_forms.KeptFormMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "apps.accounts.sign_in.sessions.SessionActivityMiddleware",
    "apps.accounts.sign_in.staff.StaffSecondFactorMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "apps.core.web.middleware.FormOnlyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
MAX_UPLOAD_BYTES = 6 * 2**20
# A picture of 5 MB as base64 in JSON, at the paths of the API that take one.
MAX_JSON_PICTURE_BYTES = 7 * 2**20
# Threads of a web process by kind, so that one that waits for another service doesn't block reads.
# Each keeps its database connections. Reads wait only for the database, and more than three threads
# would only wait for each other's Python.
WEB_THREADS = {"reads": 3, "changes": 4, "uploads": 2, "tools": 4}
# Pages that may call a payment or sign-in provider or an assistant's website run with the changes.
WAITING_PATHS = ("/account/sign-in/with/", "/checkout/", "/orders/", "/test-gateway/", "/oauth/authorize")

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.notifications.context.notifications",
            ],
            "builtins": ["apps.core.templatetags.ui", "apps.core.templatetags.forms"],
        },
    }
]

# ---- accounts ----
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "dashboard"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "apps.accounts.sign_in.adapter.AccountAdapter"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _public.scheme
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# A code, not a link: people coming from an assistant's consent page stay in the tab that leads back to it.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
# As many as the limit on emails to an address allows.
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = 10
# Typing errors must not end a sign-up; guessing eight letters takes billions of tries.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS = 10
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_MAX_ATTEMPTS = 10
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
# For all steps of a sign-in, also those after a code that expired.
ACCOUNT_LOGIN_TIMEOUT = 3600
# Stricter than allauth's limits per minute: they keep anybody from sending masses of email or creating many users.
ACCOUNT_RATE_LIMITS = {
    "signup": "10/m/ip,100/d/ip",
    "reset_password": "10/m/ip,100/d/ip,3/m/key,10/h/key",
    "manage_email": "5/m/user,20/d/user",
    "confirm_email": "3/m/key,10/h/key",
}
ACCOUNT_FORMS = {
    name: f"apps.accounts.sign_in.forms.{form}"
    for name, form in {
        "login": "SignInForm",
        "signup": "SignUpForm",
        "add_email": "AddressForm",
        "change_password": "PasswordForm",
        "set_password": "FirstPasswordForm",
        "reset_password": "ResetForm",
        "reset_password_from_key": "NewPasswordForm",
        "confirm_email_verification_code": "VerificationCodeForm",
        "confirm_password_reset_code": "ResetCodeForm",
        "reauthenticate": "PasswordAgainForm",
    }.items()
}
MFA_ADAPTER = "apps.accounts.sign_in.second_factors.SecondFactorAdapter"
MFA_FORMS = {
    name: f"apps.accounts.sign_in.forms.{form}"
    for name, form in {
        "authenticate": "CodeForm",
        "reauthenticate": "CodeAgainForm",
        "activate_totp": "AppForm",
        "add_webauthn": "NewPasskeyForm",
        "edit_webauthn": "PasskeyNameForm",
        "login_webauthn": "PasskeySignInForm",
        "authenticate_webauthn": "PasskeyForm",
        "reauthenticate_webauthn": "PasskeyAgainForm",
    }.items()
}
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
USERSESSIONS_TRACK_ACTIVITY = True
SOCIALACCOUNT_PROVIDERS = sign_in.providers()
# Members of these groups at the OpenID Connect server join groups of the admin and are staff.
OIDC_GROUPS_CLAIM = env.text("OIDC_GROUPS_CLAIM", "groups")
OIDC_GROUPS = sign_in.groups(env.items("OIDC_GROUPS"))
# Values of `amr` and `acr` in its ID tokens that count as a second factor.
OIDC_SECOND_FACTOR = env.items("OIDC_SECOND_FACTOR", ("mfa",))
STAFF_SECOND_FACTOR = env.flag("STAFF_SECOND_FACTOR", default=not LOCAL)
SOCIALACCOUNT_ADAPTER = "apps.accounts.sign_in.providers.ProviderAdapter"
# An email that the provider has verified leads to the account that has it.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_FORMS = {"signup": "apps.accounts.sign_in.forms.EmailForm"}
OAUTH2_PROVIDER_APPLICATION_MODEL = "accounts.Application"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "oauth2_provider.AccessToken"  # noqa: S105 - a model, no secret
OAUTH2_PROVIDER = oauth.provider(
    issuer=PUBLIC_BASE_URL,
    registration=env.flag("OAUTH_CLIENT_REGISTRATION", default=True),
    documents=env.flag("OAUTH_CLIENT_DOCUMENTS", default=True),
)
SILENCED_SYSTEM_CHECKS = [
    # core.W002 and core.W003 say the same, with the variables to set.
    *(f"security.W{number}" for number in ("004", "005", "008", "012", "016", "021")),
    "oauth2_provider.W008",
    # Repeated refreshes get new tokens of the same family, so no token is stored in the clear.
    "oauth2_provider.E001",
]

# ---- API ----
API_PATH = "/api/v1"
MCP_PATH = "/mcp"
JSON_PICTURE_PATHS = (f"{API_PATH}/me/profile", MCP_PATH)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["apps.core.api.permissions.HasOperationScope"],
    "DEFAULT_PARSER_CLASSES": ["apps.core.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["apps.core.api.renderers.OrjsonRenderer"],
    "DEFAULT_SCHEMA_CLASS": "apps.core.api.schema.OperationSchema",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.core.api.renderers.JsonNegotiation",
    "EXCEPTION_HANDLER": "apps.core.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Slipway",
    "VERSION": __version__,
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": (
        "Create, launch and promote product listings. Every operation is also an MCP tool with the same name. "
        "Errors are problem details (RFC 9457) that say what to send instead."
    ),
    "TAGS": [
        {"name": "Directory", "description": "Search live listings and read leaderboards. No account needed."},
        {"name": "Drafts", "description": "Turn a website into a listing, with a source for every fact."},
        {"name": "Own listings", "description": "Manage your listings, launches, badges, updates and milestones."},
        {"name": "Founder stories", "description": "Write founder stories and answer interview questions."},
        {"name": "Orders and products", "description": "Price products, create checkouts and track orders."},
        {"name": "Events", "description": "Read what happened to your drafts, listings and orders."},
        {"name": "Webhooks", "description": "Have events sent to your programs."},
        {"name": "Account", "description": "Read and change the profile that visitors see."},
    ],
    # `enum` lists the values. Repeating them in each description would only lengthen the document.
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    # A PATCH has required fields, too.
    "COMPONENT_SPLIT_PATCH": False,
    "SCHEMA_PATH_PREFIX": API_PATH,
    "SERVE_INCLUDE_SCHEMA": False,
    "GET_MOCK_REQUEST": "apps.core.api.schema.nobodys_request",
    "POSTPROCESSING_HOOKS": [
        "apps.core.api.schema.add_problem_responses",
        "apps.sites.reference.examples.add_examples",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "displayRequestDuration": True, "docExpansion": "none"},
}
# Requests per minute. 0 means no limit.
RATE_LIMIT_PER_KEY = env.number("RATE_LIMIT_PER_KEY", 60)
RATE_LIMIT_PER_ADDRESS = env.number("RATE_LIMIT_PER_ADDRESS", 30)
# Rounds of PBKDF2 that a browser computes before sign-up, 20 to 40 times. 0 asks for no proof of work.
PROOF_OF_WORK_COST = env.number("PROOF_OF_WORK_COST", 50_000)
# Browser programs may call from any origin, because these endpoints read no cookie.
CORS_URLS_REGEX = r"^/(api/|\.well-known/oauth-|oauth/(token|register|revoke)$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
CORS_ALLOW_HEADERS = cors.ALLOW_HEADERS
CORS_EXPOSE_HEADERS = cors.EXPOSE_HEADERS

# ---- background work ----
CELERY_BROKER_URL = _redis.broker
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "unacked_restore_throttle": 1,
    # Otherwise a request that queues a task waits forever for a frozen server. A worker's own waits take a second.
    "socket_timeout": 3,
    "socket_connect_timeout": 3,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Parsing strangers' pages and images makes a process grow, so it is replaced (memory in KiB).
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 400_000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# A worker takes from its two queues in turns, so that a burst of invoices doesn't hold up periodic tasks.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"celery": {}, "invoices": {}}
# Strangers' websites can be slow: the crawler has three queues of its own. Quick checks of one or two pages,
# which people wait for, don't queue behind whole crawls.
CELERY_TASK_ROUTES = {
    "apps.orders.tasks.print_invoice": {"queue": "invoices"},
    "apps.drafts.tasks.crawl_draft": {"queue": "crawls"},
    "apps.launches.tasks.check_badge": {"queue": "checks"},
    "apps.listings.tasks.check_claim": {"queue": "checks"},
    "apps.listings.tasks.download_pictures": {"queue": "checks"},
    "apps.webhooks.tasks.send_webhooks": {"queue": "webhooks"},
}
CELERY_BEAT_SCHEDULE = {
    name: entry for module in app_modules("schedule", installed=INSTALLED_APPS) for name, entry in module.BEAT.items()
}
CELERY_BEAT_SCHEDULER = "config.supervisor.heartbeat:HeartbeatScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 5

# ---- people's data ----
# Copies of people's data wait here in the storage. Backups leave them out.
EXPORTS_FOLDER = "exports"
# Days. 0 keeps rows forever.
KEEP_DAYS = {
    # Proofs of a customer's country: ten years after the end of the year of the sale (EU One Stop Shop).
    "location_evidence": env.days("KEEP_LOCATION_EVIDENCE_DAYS", 11 * 366),
    "drafts": env.days("KEEP_DRAFTS_DAYS", 365),
    "histories": env.days("KEEP_HISTORIES_DAYS", 0),
    "emails": env.days("KEEP_EMAILS_DAYS", 30),
    "sign_up_networks": env.days("KEEP_SIGN_UP_NETWORKS_DAYS", 30),
    "admin_log": env.days("KEEP_ADMIN_LOG_DAYS", 3 * 365),
    "statistics": env.days("KEEP_STATISTICS_DAYS", 0),
    "events": env.days("KEEP_EVENTS_DAYS", 90),
    "moderation": env.days("KEEP_MODERATION_DAYS", 3 * 365),
}

# ---- database connections ----
# Each web thread, worker process and crawling thread keeps one. A crawling thread
# keeps another for its lease. `manage.py check` compares the sum with PostgreSQL's
# limit. Commands are migrations, the shell and the like.
WEB_PROCESSES = env.number("WEB_PROCESSES", web_processes())
WORKER_PROCESSES = env.number("WORKER_PROCESSES", 2)
CRAWL_THREADS = env.number("CRAWL_THREADS", 16)
DATABASE_CONNECTIONS = {
    "web": WEB_PROCESSES * sum(WEB_THREADS.values()),
    "workers": WORKER_PROCESSES,
    "crawls": 2 * CRAWL_THREADS,
    "commands": 5,
}

# ---- crawling ----
CRAWL_CONTACT_URL = env.text("CRAWL_CONTACT_URL", f"{PUBLIC_BASE_URL}/about/crawler")
CRAWL_DELAY_SECONDS = env.seconds("CRAWL_DELAY_SECONDS", 0.5)
CRAWL_ALLOW_PRIVATE_HOSTS = frozenset(host.lower() for host in env.items("CRAWL_ALLOW_PRIVATE_HOSTS"))
CRAWL_EXTRA_CA_FILE = env.text("CRAWL_EXTRA_CA_FILE")
CLAIM_DNS_SERVERS = env.items("CLAIM_DNS_SERVERS")
LLM_BASE_URL = env.text("LLM_BASE_URL").rstrip("/")
LLM_API_KEY = env.text("LLM_API_KEY")
LLM_MODEL = env.text("LLM_MODEL")

# ---- orders ----
VIES_URL = env.text("VIES_URL", "https://ec.europa.eu/taxation_customs/vies/rest-api")
TEST_GATEWAY = env.flag("TEST_GATEWAY", default=LOCAL and IS_LOOPBACK)
STRIPE_SECRET_KEY = env.text("STRIPE_SECRET_KEY")
STRIPE_WEBHOOK_SECRET = env.text("STRIPE_WEBHOOK_SECRET")
STRIPE_API_URL = env.text("STRIPE_API_URL", "https://api.stripe.com").rstrip("/")
STRIPE_PAGE_ORIGIN = env.text("STRIPE_PAGE_ORIGIN", "https://checkout.stripe.com")
PAYPAL_CLIENT_ID = env.text("PAYPAL_CLIENT_ID")
PAYPAL_CLIENT_SECRET = env.text("PAYPAL_CLIENT_SECRET")
PAYPAL_WEBHOOK_ID = env.text("PAYPAL_WEBHOOK_ID")
PAYPAL_API_URL = env.text("PAYPAL_API_URL", "https://api-m.paypal.com").rstrip("/")
PAYPAL_PAGE_ORIGIN = env.text("PAYPAL_PAGE_ORIGIN", "https://www.paypal.com")
BTCPAY_URL = env.text("BTCPAY_URL").rstrip("/")
BTCPAY_STORE_ID = env.text("BTCPAY_STORE_ID")
BTCPAY_API_KEY = env.text("BTCPAY_API_KEY")
BTCPAY_WEBHOOK_SECRET = env.text("BTCPAY_WEBHOOK_SECRET")

# ---- email ----
EMAIL_BACKEND = env.text(
    "EMAIL_BACKEND",
    "apps.core.email.filebased.EmailBackend" if LOCAL else "django.core.mail.backends.smtp.EmailBackend",
)
EMAIL_FILE_PATH = str(DATA_DIR / "emails")
EMAIL_URL = env.text("EMAIL_URL")
_email = email_server(EMAIL_URL or "smtp://localhost")
EMAIL_HOST, EMAIL_PORT = _email.host, _email.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _email.user, _email.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _email.starttls, _email.tls
# A silent email server must not block a web thread.
EMAIL_TIMEOUT = 10
# Nobody has an email address at an IPv6 address.
_email_host = "localhost" if ":" in PUBLIC_HOST else PUBLIC_HOST
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"Slipway <hello@{_email_host}>")

# ---- discovery ----
SECURITY_CONTACT = env.text("SECURITY_CONTACT", f"mailto:security@{_email_host}")
INDEXNOW_KEY = env.text("INDEXNOW_KEY")
INDEXNOW_URL = env.text("INDEXNOW_URL", "https://api.indexnow.org/indexnow")

# ---- CDN ----
PURGE_URL = env.text("PURGE_URL")
PURGE_METHOD = env.text("PURGE_METHOD", "POST")
PURGE_HEADER = env.text("PURGE_HEADER")

# ---- language, time ----
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"

# ---- files ----
STATIC_URL = "/static/"
STATICFILES_DIRS = [FILES_DIR / "static"]
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(DATA_DIR / "static")))
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
S3_BUCKET = env.text("S3_BUCKET")
S3_ENDPOINT_URL = env.text("S3_ENDPOINT_URL").rstrip("/")
S3_REGION = env.text("S3_REGION")
S3_ACCESS_KEY_ID = env.text("S3_ACCESS_KEY_ID")
S3_SECRET_ACCESS_KEY = env.text("S3_SECRET_ACCESS_KEY")
STORAGES = {
    "default": media.storage(
        bucket=S3_BUCKET,
        endpoint_url=S3_ENDPOINT_URL,
        region=S3_REGION,
        access_key=S3_ACCESS_KEY_ID,
        secret_key=S3_SECRET_ACCESS_KEY,
    ),
    "staticfiles": {"BACKEND": "apps.core.web.static_files.HashedFilesStorage"},
}
WHITENOISE_USE_FINDERS = LOCAL
# Otherwise WhiteNoise remembers file sizes from the start and truncates a changed stylesheet.
WHITENOISE_AUTOREFRESH = LOCAL

# ---- security ----
_https = _public.scheme == "https"
BEHIND_PROXY = env.flag("BEHIND_PROXY")
METRICS_TOKEN = env.text("METRICS_TOKEN")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_SSL_REDIRECT = _https
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
# A promise for the whole domain is the operator's decision and can't be withdrawn for a year.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _https and env.flag("HSTS_WHOLE_DOMAIN")
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SESSION_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = _https
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "apps.core.web.error_pages.csrf_failure"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        # Pictures of websites are stored and served by us.
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

UNFOLD = {
    "SITE_TITLE": lambda request: request.site.name,
    "SITE_HEADER": lambda request: request.site.name,
    "SITE_SYMBOL": "sailing",
    "SITE_ICON": "apps.sites.admin.look.icon",
    "SITE_FAVICONS": [{"rel": "icon", "href": "apps.sites.admin.look.favicon"}],
    "COLORS": "apps.sites.admin.look.colors",
    "DASHBOARD_CALLBACK": "apps.core.admin.dashboard.dashboard",
    "STYLES": [lambda request: import_module("django.templatetags.static").static("admin.css")],
    "SCRIPTS": [lambda request: import_module("django.templatetags.static").static("admin.js")],
    "SIDEBAR": {"navigation": "apps.sites.admin.sidebar.sidebar"},
}

LOGGING = logging_config(level=env.text("LOG_LEVEL", "INFO"))
