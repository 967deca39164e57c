/* The container's health check: asks the server at PORT (default 3000) whether it is ready, and
   exits with 0 if it is, otherwise 1. A file, because podman-compose breaks a command with
   quotes. */
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/health/ready`;
const ready = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
