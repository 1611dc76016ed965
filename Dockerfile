# polymend in a container: docker build -t polymend . && docker run --rm -v "$PWD:/src" polymend kernel.cpp -o fast.cpp
FROM debian:bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
      ca-certificates g++-12 cmake ninja-build pkg-config dpkg-dev file \
      clang-19 lld-19 libclang-19-dev llvm-19-dev libclang-rt-19-dev \
      libisl-dev libgmp-dev libz3-dev libboost1.81-dev libboost-json1.81-dev libboost-filesystem1.81-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . /polymend
RUN cmake -S /polymend -B /build -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Release -DPOLYMEND_TESTS=OFF \
    && cmake --build /build && cd /build && cpack -G DEB

FROM debian:bookworm
COPY --from=build /build/*.deb /tmp/
# Recommended packages are what `check` compiles with.
RUN apt-get update && apt-get install -y /tmp/*.deb python3 graphviz && rm -rf /var/lib/apt/lists/* /tmp/*.deb
WORKDIR /src
ENTRYPOINT ["polymend"]
