# One image for every role; the role is an argument: `serve --role api|worker|scheduler|bot|all`.
FROM node:20.20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY cli/package.json cli/package.json
COPY cli/bin cli/bin
COPY sdk/package.json sdk/package.json
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20.20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/openapi.yaml ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/cli/package.json cli/package.json
COPY --from=build /app/cli/bin cli/bin
COPY --from=build /app/cli/demo cli/demo
COPY --from=build /app/cli/dist cli/dist
COPY --from=build /app/recorded-accounts recorded-accounts
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.INTERNAL_PORT||8080)+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "cli/bin/dpa.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
