/* The health check of the container: asks the server in it, at the container's PORT (default 3000),
   whether it is ready. A file of its own, because podman-compose breaks a command with quotes. The
   exit code is 0 if the server is ready, otherwise 1. */
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/health/ready`;
const ready = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
