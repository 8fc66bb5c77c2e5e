# syntax=docker/dockerfile:1
# atelier in a small image: three programs, no shell, no root. docs/deploying.md explains how to run it.

FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --profile dist --locked \
    && cargo build --profile dist --locked --manifest-path crates/credentials/Cargo.toml --target-dir target \
    && install -D --strip --target-directory=/out/bin target/dist/atelier target/dist/atelier-espeak \
        target/dist/atelier-credentials \
    && install -d -m 700 /out/root/data

# glibc, libstdc++ and certificates; its user `nonroot` has the id 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /out/bin/ /usr/local/bin/
COPY --from=build --chown=65532:65532 /out/root/ /
ENV ATELIER_DATA=/data \
    ATELIER_SERVER__LISTEN=0.0.0.0:8080
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=10s --start-period=20s --retries=3 \
    CMD ["/usr/local/bin/atelier", "health"]
ENTRYPOINT ["/usr/local/bin/atelier"]
CMD ["serve"]
