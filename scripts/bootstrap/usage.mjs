/** What `npm start -- --help` prints. The settings themselves are read by the server. */
export const startUsage = `Usage: npm start [-- --help]

Installs what is missing, builds what is stale, and serves the console together with its server.

Settings, all optional, read from the environment:

  PORT            the port to listen on (8008)
  HOST            the address to listen on (127.0.0.1: this machine only)
  DATA_DIR        where the database and keys are kept
                  (a folder "wheelhouse" in your user's data directory)
  ADMIN_PASSWORD  the admin's password, 8 to 72 bytes; used on the first start only
                  (a generated one, shown once)
  PUBLIC_URL      the address people use when a proxy stands in front, such as
                  https://console.example.org: its host is allowed, its origin may
                  open WebSockets, and cookies are sent over TLS only
  REAL_IP_HEADER  sets the real-IP header of the site anew: NZ::Use-Peer-IP is the way
                  back in when a wrong one in the settings has shut everybody out
  DISABLE_COMMAND_EXECUTE
                  true switches off tasks, terminals and file managers on this machine;
                  nothing in the console can switch them on again

Example:  PORT=9000 npm start
`
