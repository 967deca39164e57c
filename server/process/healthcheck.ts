/* The container's health check: asks the server at the container's PORT (default 3000) whether
   it is ready. A file, because podman-compose breaks a command with quotes. Exit code 0 if
   ready, otherwise 1. */
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/health/ready`;
const ready = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
