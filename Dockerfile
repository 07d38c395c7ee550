# syntax=docker/dockerfile:1
# An image for each program: docker build --target bff | backend | orders | migrate .
# Each runs as a user without rights, with a read-only file system apart from /tmp (lists that are uploaded), and has no
# shell, no package manager and no compiler.

ARG NODE=24

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /project
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:${NODE}-bookworm-slim AS packages
WORKDIR /production
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM build AS images
COPY --from=packages /production /production
RUN for program in bff backend orders migrate; do \
      node scripts/image/assemble.mjs "$program" "/images/$program" /production; \
    done

FROM gcr.io/distroless/nodejs${NODE}-debian12:nonroot AS runtime
WORKDIR /app
USER nonroot
ENV NODE_ENV=production \
    SANDBOX=off \
    HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0 \
    MALLOC_ARENA_MAX=1 \
    MALLOC_TRIM_THRESHOLD_=131072
STOPSIGNAL SIGTERM
ENTRYPOINT ["/nodejs/bin/node", "--max-old-space-size=256", "--max-semi-space-size=4", "--enable-source-maps"]

FROM runtime AS migrate
COPY --from=images /images/migrate ./
CMD ["dist/services/migrate.mjs"]

FROM runtime AS backend
COPY --from=images /images/backend ./
EXPOSE 4001 9401
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["/nodejs/bin/node", "scripts/image/healthy.mjs", "BACKEND_PORT", "4001"]
CMD ["dist/services/backend.mjs"]

FROM runtime AS orders
COPY --from=images /images/orders ./
EXPOSE 4002 9402
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["/nodejs/bin/node", "scripts/image/healthy.mjs", "ORDERS_PORT", "4002"]
CMD ["dist/services/orders.mjs"]

FROM runtime AS bff
COPY --from=images /images/bff ./
EXPOSE 4000 9400
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["/nodejs/bin/node", "scripts/image/healthy.mjs", "BFF_PORT", "4000"]
CMD ["dist/services/bff.mjs"]

# Platform, identity service and payment gateway of the demonstration, from sources: compose's profile `demo` alone uses it.
FROM build AS sandbox
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=development \
    SANDBOX=on \
    HOST=0.0.0.0 \
    DATA_DIR=/data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "scripts/image/healthy.mjs", "SANDBOX_PORT", "4010"]
CMD ["node", "--import", "tsx", "sandbox/main.ts"]
