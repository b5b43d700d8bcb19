import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "..");
const manifests = parseAllDocuments(
  readFileSync(join(root, "docs/deploy/kubernetes.yaml"), "utf8"),
).map((document) => document.toJS() as { readonly apiVersion: string; readonly kind: string });

// Types generated from Kubernetes' own specification: the compiler finds wrong, missing and unknown fields.
it("the manifest has only fields that Kubernetes knows", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "greenroom-manifest-"));
  const lines = manifests.map((manifest, index) => {
    const place = manifest.apiVersion.includes("/")
      ? manifest.apiVersion.replace(".k8s.io", "")
      : `core/${manifest.apiVersion}`;
    const type = `import("kubernetes-types/${place}.d.ts").${manifest.kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};\n`;
  });
  writeFileSync(join(scratch, "manifest.ts"), lines.join(""));
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
        module: "preserve",
        moduleResolution: "bundler",
        allowImportingTsExtensions: true,
        paths: { "kubernetes-types/*": [join(root, "node_modules/kubernetes-types/*")] },
      },
      files: ["manifest.ts"],
    }),
  );

  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const compiled = promisify(execFile)(process.execPath, [compiler, "-p", scratch])
    .then(({ stdout }) => stdout)
    .catch((error: { readonly stdout: string }) => error.stdout)
    .finally(() => rmSync(scratch, { recursive: true }));

  expect(await compiled).toBe("");
});
