# An image with the program: docker build -t takt . && docker run --rm -v "$PWD:/data" takt evaluate instance.json
FROM debian:12 AS build
WORKDIR /source/takt
COPY debian/control debian/
RUN apt-get update \
  && apt-get build-dep -y --no-install-recommends --arch-only --build-profiles=pkg.takt.program ./
COPY . .
RUN dpkg-buildpackage --build=any --no-sign --build-profiles=pkg.takt.program

FROM debian:12-slim
COPY --from=build /source/takt_*.deb /packages/
RUN apt-get update \
  && apt-get install -y --no-install-recommends /packages/takt_*.deb \
  && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["takt"]
