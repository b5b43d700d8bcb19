import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import packageLock from "../package-lock.json" with { type: "json" };
import { configVariables } from "../src/config.ts";
import { createMetrics } from "../src/web/index.ts";
import { parseMetrics } from "./support/metrics-text.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs/deploy");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** The documents of a YAML file; a syntax error throws. */
function documentsOf(file: string): readonly unknown[] {
  return parseAllDocuments(textOf(`docs/deploy/${file}`)).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw fault;
    return document.toJS({ merge: true }) as unknown;
  });
}

interface Service {
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}
const [compose] = documentsOf("compose.yaml") as [
  { readonly services: Readonly<Record<string, Service>>; readonly volumes: object },
];
const bot = compose.services.bot as Service;

interface LockedPackage {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly stringData: { readonly settings: string };
  readonly spec: {
    readonly selector: object;
    readonly template: { readonly spec: { readonly containers: [Container] } };
  };
}

interface PolicyRule {
  readonly ports: readonly { readonly port: number | string }[];
}

interface NetworkPolicy {
  readonly podSelector: object;
  readonly policyTypes: readonly string[];
  readonly ingress: readonly (PolicyRule & { readonly from: readonly object[] })[];
  readonly egress: readonly (PolicyRule & {
    readonly to?: readonly { readonly ipBlock?: { readonly except: readonly string[] } }[];
  })[];
}
const manifests = documentsOf("kubernetes.yaml") as readonly Manifest[];
const manifestOf = (kind: string) => manifests.find((one) => one.kind === kind) as Manifest;
const [container] = manifestOf("Deployment").spec.template.spec.containers;

const policy = manifestOf("NetworkPolicy").spec as unknown as NetworkPolicy;

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
}
const [{ groups }] = documentsOf("alerts.yaml") as [
  { readonly groups: readonly { readonly rules: readonly AlertRule[] }[] },
];
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(textOf("docs/deploy/grafana/greenroom.json")) as {
  readonly panels: readonly {
    readonly datasource: { readonly uid: string };
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

const { start } = packageJson.scripts;
const dockerfile = textOf("Dockerfile");
/** The default value, as `.env.example` states it. */
const defaultOf = (name: string) =>
  new RegExp(`Default: (\\d+).*\\n${name}=`, "u").exec(textOf(".env.example"))?.[1];
const pagesPort = defaultOf("PORT");
const healthPort = defaultOf("HEALTH_PORT");

describe("the start command", () => {
  it("is the image's", () => {
    const [, command = "[]"] = /^CMD (\[.*\])$/mu.exec(dockerfile) ?? [];

    expect((JSON.parse(command) as string[]).join(" ")).toBe(start);
  });

  it.each(["greenroom.service", "greenroom@.service"])(
    "is the unit's, with settings from standard input: %s",
    (file) => {
      const [, command] =
        /^ExecStart=\/usr\/bin\/(.*)$/mu.exec(textOf(`docs/deploy/${file}`)) ?? [];

      expect(command).toBe(`${start} --settings-from-stdin`);
    },
  );

  it.each([
    ["compose.yaml", bot.command],
    ["kubernetes.yaml", container.args],
  ])("replaces the shell that opens the settings: %s", (_, command) => {
    const line = command?.at(-1) ?? "";

    expect(line).toMatch(/^exec /u);
    expect(line).toContain(` ${start} --settings-from-stdin < /run/secrets/greenroom`);
  });

  it("compiles under the same flags while the image is built", () => {
    const flags = start.replace("node ", "").replace(" src/main.ts", "");

    expect(dockerfile).toContain(`node ${flags} --eval`);
  });
});

describe("the image", () => {
  it("has the version of Node that the tests use", () => {
    const image = `node:${packageJson.devDependencies.node}-bookworm-slim`;

    expect([...dockerfile.matchAll(/^FROM (\S+)/gmu)].map(([, from]) => from)).toEqual([
      image,
      image,
    ]);
  });

  it("runs no install script, because no package that the bot needs has one", () => {
    const scripted = Object.entries(packageLock.packages as Record<string, LockedPackage>)
      .filter(([, one]) => one.hasInstallScript === true && one.dev !== true)
      .map(([name]) => name);

    expect(dockerfile).toContain("npm ci --omit=dev --ignore-scripts ");
    expect(scripted).toEqual([]);
  });

  it("does not run as root, and stops on SIGTERM", () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));

    expect(last).toContain("\nUSER node\n");
    expect(last).toContain("\nSTOPSIGNAL SIGTERM\n");
  });

  it("has the program's ports", () => {
    expect(dockerfile).toContain(`\nEXPOSE ${pagesPort}\n`);
    expect(dockerfile).toContain(`process.env.HEALTH_PORT || ${healthPort}`);
  });

  it("takes only what exists from the project's folder", () => {
    const names = textOf(".dockerignore").match(/^!?[\w./-]+$/gmu) ?? [];

    expect(names.filter((name) => !existsSync(join(root, name.replace("!", ""))))).toEqual([]);
  });
});

describe("the files of deployment", () => {
  it.each(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".yaml")),
  )("are YAML: %s", (file) => {
    expect(documentsOf(file).length).toBeGreaterThan(0);
  });

  it("set only variables that the bot reads", () => {
    const settings = manifestOf("Secret").stringData.settings.matchAll(/^(\w+)=/gmu);
    const units = ["greenroom.service", "greenroom@.service"]
      .flatMap((file) => [...textOf(`docs/deploy/${file}`).matchAll(/^Environment=(.*)$/gmu)])
      .flatMap(([, line = ""]) => [...line.matchAll(/(\w+)=/gu)]);
    const names = [
      ...Object.keys(bot.environment ?? {}),
      ...container.env.map(({ name }) => name),
      ...[...settings, ...units].map(([, name = ""]) => name),
    ];

    const known = [...configVariables, "NODE_COMPILE_CACHE"];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("publish only the proxy's ports", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports);

    expect(published.map(([name]) => name)).toEqual(["caddy"]);
  });

  it("name folders and files that exist", () => {
    const services = Object.values(compose.services);
    const mounted = services.flatMap(({ volumes = [] }) => volumes).map((one) => one.split(":")[0]);
    const files = mounted.filter((path) => path?.startsWith("."));
    const volumes = mounted.filter((path) => !path?.startsWith("."));

    expect(files.filter((path = "") => !existsSync(join(folder, path)))).toEqual([]);
    expect(volumes.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  it("name images with an exact version or a digest", () => {
    const images = [...Object.values(compose.services), container].map(({ image }) => image);
    const own = "greenroom:${VERSION:-";

    expect(
      images.filter((image) => !/:v?\d+\.\d+(?:\.\d+)?(?:-\w+)?$|@sha256:/u.test(image)),
    ).toEqual([`${own}${packageJson.version}}`]);
    expect(container.image.split(":").at(-1)).toBe(packageJson.version);
  });

  it.each(Object.entries(compose.services))(
    "let a service gain no privileges, and leave it few: %s",
    (_, { cap_drop, cap_add = [], security_opt }) => {
      // For changing a folder's owner, becoming another user, and opening ports below 1024.
      const allowed = [
        "CHOWN",
        "DAC_READ_SEARCH",
        "FOWNER",
        "NET_BIND_SERVICE",
        "SETGID",
        "SETUID",
      ];

      expect([cap_drop, security_opt]).toEqual([["ALL"], ["no-new-privileges:true"]]);
      expect(cap_add.filter((one) => !allowed.includes(one))).toEqual([]);
    },
  );

  it("let the pods be reached at their ports only, and leave the cluster's network alone", () => {
    const { ingress, egress, policyTypes, podSelector } = policy;
    const ports = ingress.flatMap((rule) => rule.ports.map(({ port }) => port));
    const blocks = egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));

    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    expect(podSelector).toEqual(manifestOf("Deployment").spec.selector);
    expect(ports).toEqual(["http", "health"]);
    expect(ingress.every(({ from }) => from.length > 0)).toBe(true);
    expect(blocks.map(({ except }) => except)).toEqual([
      expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]),
      expect.arrayContaining(["fc00::/7", "fe80::/10"]),
    ]);
    expect(egress.flatMap((rule) => rule.ports.map(({ port }) => port))).toEqual([
      53, 53, 443, 5432,
    ]);
  });

  it("lead the proxy and Prometheus to the bot's ports", () => {
    const caddy = textOf("docs/deploy/Caddyfile");
    const scraped = JSON.stringify(documentsOf("prometheus.yaml"));

    expect(caddy).toMatch(new RegExp(`name bot\\s+port ${pagesPort}\\s`, "u"));
    expect(scraped).toContain(`"names":["bot"],"type":"A","port":${healthPort}`);
    expect(bot.healthcheck?.test.join()).toContain(`127.0.0.1:${healthPort}/readyz`);
    expect(bot.networks).toEqual(expect.arrayContaining(["front", "metrics"]));
  });

  it("probe the health port in Kubernetes", () => {
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }) => [name, `${containerPort}`]),
    );
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];

    expect(ports).toEqual({ http: pagesPort, health: healthPort });
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: "/healthz", port: "health" },
      { path: "/readyz", port: "health" },
      { path: "/healthz", port: "health" },
    ]);
  });
});

describe("the alerts and the dashboard", () => {
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  it("ask only for metrics that the bot serves", async () => {
    const metrics = createMetrics({ version: "0" });
    const { text } = await metrics.render();
    metrics.close();
    const { types } = parseMetrics(text);
    const asked = expressions.flatMap((expr) => expr.match(/\b(?:greenroom|process)_\w+/gu) ?? []);
    const served = (name: string) =>
      types.has(name) || types.get(name.replace(/_bucket$/u, "")) === "histogram";

    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !served(name))).toEqual([]);
  });

  it("are the alerts of the guide", () => {
    const named = textOf("docs/operating.md").match(/^\| `Greenroom\w+`/gmu) ?? [];

    expect(named.map((row) => row.slice(3, -1))).toEqual(alerts.map(({ alert }) => alert));
  });

  it("read from the data source that is set up", () => {
    const [{ datasources }] = documentsOf("grafana/datasources.yaml") as [
      { readonly datasources: readonly { readonly uid: string }[] },
    ];
    const used = dashboard.panels.map(({ datasource }) => datasource.uid);

    expect([...new Set(used)]).toEqual(datasources.map(({ uid }) => uid));
  });
});
