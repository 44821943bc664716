"""The kits in config/deploy run what docs/operations says, with settings that exist."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.certificates import make_certificate
from tests.config.support import PROJECT
from tests.interop import unavailable
from tests.leftovers import bare_environment

KITS = PROJECT / "config" / "deploy"
UNITS = sorted((KITS / "systemd").glob("*.service"))
RUNNING, SETTINGS = ((PROJECT / "docs" / "operations" / f"{page}.md").read_text() for page in ("running", "settings"))
# What only the kits themselves, the images of others or the system read.
NO_SETTINGS = {
    "PATH",
    "PYTHONUNBUFFERED",
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "SITE_HOSTS",
    "DEFAULT_FROM_EMAIL",
    "BACKUP_URL",
}
# Debian keeps servers where only root looks for programs.
BIN = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"])
MANIFESTS = sorted(path for path in (KITS / "kubernetes").glob("*.yaml") if path.stem != "kustomization")
OBJECTS: list[dict[str, Any]] = [each for path in MANIFESTS for each in yaml.safe_load_all(path.read_text())]


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    if shutil.which(words[0], path=BIN) is None:
        unavailable(f"needs {words[0]}, which .ci/run installs")
    return subprocess.run(
        words,
        env={**bare_environment(), "PATH": BIN, "SITE_HOSTS": "launches.example.com"},
        capture_output=True,
        text=True,
        check=False,
    )


def documented() -> dict[str, list[str]]:
    """The words of each process's command in docs/operations/running.md."""
    shell = RUNNING.split("```sh\n", 1)[1].split("```", 1)[0]
    lines = [re.sub(r"\s+#.*", "", line) for line in shell.replace("\\\n", " ").splitlines()]
    granian, worker, crawler, beat = [shlex.split(line) for line in lines if line.startswith(("granian", "celery"))]
    return {"web": granian, "worker": worker, "crawler": crawler, "beat": beat}


def assert_runs_as_documented(name: str, words: list[str]) -> None:
    """Programs may be in a folder, and numbers of processes and files are the kit's own."""
    expected = documented()[name]
    own = {"$(nproc)": "2"}
    assert Path(words[0]).name == expected[0]
    missing = [word for word in (own.get(word, word) for word in expected[1:]) if word not in words]
    assert missing == []


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    result: dict[str, Any] = yaml.safe_load((KITS / "compose.yaml").read_text())["services"]
    return result


def dockerfile_command() -> list[str]:
    [line] = [line for line in (KITS / "Dockerfile").read_text().splitlines() if line.startswith("CMD")]
    return list(yaml.safe_load(line.removeprefix("CMD")))


@pytest.mark.parametrize("name", ["worker", "crawler", "beat"])
def test_compose_runs_what_is_documented(name: str, services: dict[str, Any]) -> None:
    assert_runs_as_documented(name, services[name]["command"])
    assert "/tmp/heartbeat" in services[name]["healthcheck"]["test"][1]  # noqa: S108 - in the container
    assert services[name]["environment"]["HEARTBEAT_FILE"] == "/tmp/heartbeat"  # noqa: S108 - in the container


def test_the_image_serves_what_is_documented(services: dict[str, Any]) -> None:
    assert_runs_as_documented("web", dockerfile_command())
    assert "command" not in services["web"]


def test_the_dockerfile_is_clean() -> None:
    done = run("hadolint", str(KITS / "Dockerfile"))
    assert (done.returncode, done.stdout) == (0, "")


def test_compose_takes_its_file() -> None:
    schema = json.loads((Path(__file__).parent / "compose-spec.json").read_text())
    Draft202012Validator(schema).validate(yaml.safe_load((KITS / "compose.yaml").read_text()))


def test_compose_names_what_is_there(services: dict[str, Any]) -> None:
    compose = (KITS / "compose.yaml").read_text()
    volumes = yaml.safe_load(compose)["volumes"]
    for service in services.values():
        assert set(service.get("depends_on", [])) <= services.keys()
        named = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert {name for name in named if not name.startswith(".")} <= volumes.keys()
    # The folder that the command is run in.
    wanted = set(re.findall(r"\$\{([A-Z_]+)", compose)) - {"PWD"}
    filled_in = re.findall(r"^([A-Z_]+)=", (KITS / "slipway.env.example").read_text(), re.MULTILINE)
    assert wanted <= set(filled_in)


def test_nginx_takes_its_sample(tmp_path: Path) -> None:
    pem = make_certificate(tmp_path, "launches.example.com")
    site = (KITS / "nginx.conf").read_text().replace("/var/cache/nginx", str(tmp_path))
    (tmp_path / "site.conf").write_text(re.sub(r"/etc/letsencrypt/\S+\.pem", str(pem), site))
    whole = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ include {tmp_path}/site.conf; }}"
    (tmp_path / "nginx.conf").write_text(whole)
    done = run("nginx", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))
    assert done.returncode == 0, done.stderr


def test_caddy_takes_its_sample() -> None:
    done = run("caddy", "validate", "--adapter", "caddyfile", "--config", str(KITS / "Caddyfile"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["web", "worker", "crawler", "beat"])
def test_systemd_runs_what_is_documented(name: str) -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # the documented way to keep upper case
    unit.read(KITS / "systemd" / f"slipway-{name}.service")
    service = unit["Service"]
    assert_runs_as_documented(name, shlex.split(service["ExecStart"].replace("%%", "%")))
    assert service["Restart"] == "always"
    assert service["RestartPreventExitStatus"] == "78"
    assert service["ProtectSystem"] == "strict"


def kubernetes(kind: str, name: str) -> dict[str, Any]:
    [result] = [each for each in OBJECTS if (each["kind"], each["metadata"]["name"]) == (kind, name)]
    return result


def pods() -> dict[str, dict[str, Any]]:
    """The specification of every pod by its component."""
    result = {}
    for each in OBJECTS:
        spec = each.get("spec", {})
        if template := spec.get("jobTemplate", {}).get("spec", spec).get("template"):
            result[template["metadata"]["labels"]["app.kubernetes.io/component"]] = template["spec"]
    return result


@pytest.mark.parametrize("manifest", OBJECTS, ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_kubernetes_takes_the_manifests(manifest: dict[str, Any]) -> None:
    kinds = json.loads((Path(__file__).parent / "kubernetes-1.37.json").read_text())
    Draft202012Validator({**kinds, "$ref": f"#/$defs/{manifest['kind']}"}).validate(manifest)


def test_all_manifests_are_applied() -> None:
    applied = yaml.safe_load((KITS / "kubernetes" / "kustomization.yaml").read_text())["resources"]
    assert sorted(applied) == [path.name for path in MANIFESTS]


@pytest.mark.parametrize("name", ["migrate", "worker", "crawler", "beat"])
def test_kubernetes_runs_what_compose_runs(name: str, services: dict[str, Any]) -> None:
    assert pods()[name]["containers"][0]["command"] == services[name]["command"]


def test_kubernetes_serves_with_the_command_of_the_image() -> None:
    [web] = pods()["web"]["containers"]
    assert "command" not in web
    assert web["ports"] == [{"name": "http", "containerPort": 8000}]
    assert web["readinessProbe"]["httpGet"] == {"path": "/healthz", "port": "http"}
    [port] = kubernetes("Service", "slipway-web")["spec"]["ports"]
    [rule] = kubernetes("Ingress", "slipway")["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert (backend["name"], backend["port"]["name"], port["targetPort"]) == ("slipway-web", port["name"], "http")


@pytest.mark.parametrize("name", ["worker", "crawler", "beat"])
def test_a_pod_without_a_heartbeat_is_started_again(name: str) -> None:
    [container] = pods()[name]["containers"]
    assert {"name": "HEARTBEAT_FILE", "value": "/tmp/heartbeat"} in container["env"]  # noqa: S108 - in the container
    assert "$HEARTBEAT_FILE" in container["livenessProbe"]["exec"]["command"][2]


@pytest.mark.parametrize("name", sorted(pods()))
def test_pods_have_few_rights(name: str) -> None:
    pod = pods()[name]
    [uid] = re.findall(r"--uid (\d+)", (KITS / "Dockerfile").read_text())
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == int(uid)
    assert pod["automountServiceAccountToken"] is False
    for container in [*pod.get("initContainers", []), *pod["containers"]]:
        allowed = container["securityContext"]
        assert allowed["readOnlyRootFilesystem"] is True
        assert allowed["allowPrivilegeEscalation"] is False
        assert allowed["capabilities"] == {"drop": ["ALL"]}
        assert {"cpu", "memory"} == container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]
        volumes = {volume["name"] for volume in pod["volumes"]}
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes


def test_one_scheduler_keeps_the_times_of_its_runs() -> None:
    beat = kubernetes("Deployment", "slipway-beat")["spec"]
    assert (beat["replicas"], beat["strategy"]["type"]) == (1, "Recreate")
    [claim] = [volume for volume in pods()["beat"]["volumes"] if "persistentVolumeClaim" in volume]
    kubernetes("PersistentVolumeClaim", claim["persistentVolumeClaim"]["claimName"])


def test_web_processes_share_their_numbers_in_every_kit(services: dict[str, Any]) -> None:
    """In a folder that is new at each start: numbers of ended processes would stay in it."""
    name, folder = "PROMETHEUS_MULTIPROC_DIR", "/run/metrics"
    assert services["web"]["environment"][name] == folder
    assert any(entry.startswith(folder) for entry in services["web"]["tmpfs"])
    [container] = pods()["web"]["containers"]
    assert {"name": name, "value": folder} in container["env"]
    [volume] = [mount["name"] for mount in container["volumeMounts"] if mount["mountPath"] == folder]
    assert any(each["name"] == volume and "emptyDir" in each for each in pods()["web"]["volumes"])
    unit = (KITS / "systemd" / "slipway-web.service").read_text()
    assert f"{name}=/run/slipway-web\n" in unit
    assert "RuntimeDirectory=slipway-web\n" in unit


def test_manifests_hold_no_secrets() -> None:
    assert "Secret" not in {each["kind"] for each in OBJECTS}
    settings = kubernetes("ConfigMap", "slipway")["data"]
    assert {name for name in settings if re.search("KEY|SECRET|PASSWORD|TOKEN|DSN|DATABASE|REDIS", name)} == set()


def test_the_image_takes_extras() -> None:
    """The same words as in the Dockerfile print what an extra needs, and nothing without one."""
    [program] = re.findall(r'RUN python -c "(.*?)" > extras', (KITS / "Dockerfile").read_text(), re.DOTALL)
    program = program.replace("\\\n", "")
    printed = {}
    for extras in ("", "s3 sentry"):
        words = [sys.executable, "-c", program.replace("$EXTRAS", extras)]
        done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True)
        printed[extras] = done.stdout.split()
    assert printed[""] == []
    assert [need.partition(">")[0] for need in printed["s3 sentry"]] == ["django-storages[s3]", "sentry-sdk"]


def test_every_setting_of_the_kits_is_documented(services: dict[str, Any]) -> None:
    named = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", (KITS / "slipway.env.example").read_text(), re.MULTILINE))
    named |= set(re.findall(r"\b([A-Z][A-Z_]{3,})=", (KITS / "Dockerfile").read_text()))
    for service in services.values():
        named |= set(service.get("environment", {}))
    named |= set(kubernetes("ConfigMap", "slipway")["data"])
    named |= {each["name"] for pod in pods().values() for each in pod["containers"][0].get("env", [])}
    for path in UNITS:
        for line in re.findall(r"^Environment=(.*)", path.read_text(), re.MULTILINE):
            named |= {word.partition("=")[0] for word in line.split()}
    assert {name for name in named - NO_SETTINGS if f"`{name}`" not in RUNNING + SETTINGS} == set()


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """The programs are replaced by an existing one. Everything else is read unchanged."""
    for path in sorted((KITS / "systemd").iterdir()):
        (tmp_path / path.name).write_text(re.sub(r"/srv/slipway/\.venv/bin/\w+", "/bin/true", path.read_text()))
    units = [str(path) for path in tmp_path.iterdir()]
    done = run("systemd-analyze", "verify", *units)
    assert (done.returncode, done.stderr) == (0, "")
