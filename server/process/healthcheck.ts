/*
 * The container's health check: exit code 0 if the server at PORT (default 3000) is ready,
 * otherwise 1. This is a file, because podman-compose breaks inline commands with quotes.
 */
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/health/ready`;
const ready = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
