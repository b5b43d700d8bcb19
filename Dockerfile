# Greenroom as an image. docs/operating.md says how to run it; docs/deploy/compose.yaml is a complete example.
#   docker build --tag greenroom .

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Alone, so that the packages are installed again only if they changed.
COPY package.json package-lock.json ./
# No package that the bot needs has an install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# What a start loads is compiled once, here. The cache belongs to one version of Node, one folder and one user, so these
# are the same in the final stage. Node makes its files readable for that user alone.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN install --directory --owner=node --group=node .compile-cache \
  && setpriv --reuid=node --regid=node --clear-groups \
    node --max-semi-space-size=4 --import ./src/compile-cache.mjs --eval \
      'for await (const file of fs.promises.glob("/app/{src/bot,src/features/index,commands/*}.ts")) await import(file)' \
  && chmod --recursive a+rX .compile-cache

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache
# All of it belongs to root: the bot can't change its own files.
COPY --from=build --chown=root:root /app ./
# The SQLite file, the only thing that is ever written.
RUN install --directory --owner=node --group=node --mode=700 .greenroom
VOLUME /app/.greenroom
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s CMD ["node", "--eval", \
  "const { ok } = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT || 9464}/healthz`); process.exit(ok ? 0 : 1)"]
# Node itself is process 1: npm or a shell in between would not pass SIGTERM on.
CMD ["node", "--max-semi-space-size=4", "--import", "./src/compile-cache.mjs", "src/main.ts"]
