import { generateKeyPairSync, sign } from "node:crypto";

/** A self-signed certificate for one host name, good for a day, made without any tool but Node. */
export function makeCertificate(host: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(host)))));
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const day = 86_400_000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(isAuthority(), alternativeName(host))),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.of(0), signature));
  const lines = whole
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length and value (ITU-T X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.of(tag, ...length), value]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** basicConstraints, critical: the certificate may sign certificates, itself included. */
function isAuthority(): Buffer {
  const critical = der(0x01, Buffer.of(0xff));
  return sequence(oid("551d13"), critical, der(0x04, sequence(der(0x01, Buffer.of(0xff)))));
}

function alternativeName(host: string): Buffer {
  return sequence(oid("551d11"), der(0x04, sequence(der(0x82, Buffer.from(host)))));
}
