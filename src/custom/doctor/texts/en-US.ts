import type { DoctorTexts } from './types.ts'

export const texts: DoctorTexts = {
  title: 'Connection check',
  intro: 'Checked from this browser, just now. It changes no settings.',
  checks: {
    tls: 'Encryption',
    api: 'API',
    cookies: 'Cookies',
    csrf: 'CSRF protection',
    clock: 'Clocks',
    socket: 'WebSocket',
    address: 'Your address',
    age: 'Server',
    mcp: 'Model Context Protocol (MCP)',
  },
  health: { good: 'Good', warning: 'Worth a look', bad: 'Broken', skipped: 'Not checked' },
  outcomes: {
    tls_good: 'This page was loaded over HTTPS.',
    tls_here: 'This page comes from this computer: nobody can listen in.',
    tls_missing:
      'This page was loaded without HTTPS: passwords can be read in transit. Put a proxy with a certificate in front of the server.',
    api_good: 'The server answers with JSON.',
    api_page:
      'The reply is a web page with status {{status}} instead of JSON: something between here and the server answers for it. Let the proxy pass on everything below /api/v1.',
    api_blocked:
      'Your address is blocked, after failed sign-ins or by a proxy. Wait a while, or ask an administrator to delete it from the blocked addresses.',
    api_gateway:
      'The proxy answers with status {{status}}: it does not reach the server. Is the server running, and is its port the one in the proxy’s settings?',
    api_unreachable: 'No reply. Is the server running, and does this address lead to it?',
    api_said:
      'The server refuses everything: “{{words}}”. If it expects an IP header, let the proxy send the header that is set as real IP header.',
    cookies_good: 'This browser keeps cookies.',
    cookies_session: 'This browser keeps cookies, and the server takes the one of your session.',
    cookies_off:
      'This browser keeps no cookies of this site, so nobody can stay signed in. Allow them for this address.',
    cookies_over: 'This browser keeps cookies, but your session is over. Sign in again.',
    csrf_good: 'Cookie and header match, and the server takes them.',
    csrf_none: 'This server has none; it is older than v2.1.0.',
    csrf_refused:
      'The server refuses the pair of cookie and header, so nothing can be saved. Sign out and in again. If that does not help, the proxy drops the header X-CSRF-Token or one of the cookies.',
    signed_out: 'Sign in first, then check again.',
    clock_good: 'This computer and the server differ by {{seconds}} s.',
    clock_ahead:
      'This computer’s clock is {{seconds}} s ahead of the server’s: times on screen are off by as much. Set both by a time server.',
    clock_behind:
      'This computer’s clock is {{seconds}} s behind the server’s: times on screen are off by as much. Set both by a time server.',
    clock_unknown: 'The server does not tell its time.',
    socket_good: 'It opens, and live data arrives every {{seconds}} s.',
    socket_refused: 'It does not open: no live data, terminals or files. Let the proxy pass on WebSockets.',
    socket_refused_anonymous:
      'It does not open. Some servers show live data only to people who are signed in: sign in and check again. If it still does not open, let the proxy pass on WebSockets.',
    socket_silent: 'It opens, but nothing arrives: something between here and the server holds the data back.',
    socket_stopped:
      'The first data arrived, then nothing more: something between here and the server cuts the connection.',
    address_good: 'The server sees {{address}}.',
    address_inner:
      'The server sees {{address}}, which is the proxy’s: all visitors look the same, and one person’s wrong passwords keep others out. Let the proxy send a header, and set it as real IP header in the settings: X-Real-IP.',
    address_none:
      'The server sees no client addresses, so nobody is ever blocked after failed sign-ins. Let the proxy send a header, and set it as real IP header in the settings: X-Real-IP.',
    age_embedded: 'Wheelhouse’s own server {{version}}.',
    age_newer: 'A Nezha server of v2.1.0 or newer. {{version}}',
    age_middle: 'A Nezha server of v2, probably older than v2.1.0. {{version}}',
    age_older: 'A Nezha server of v1. {{version}}',
    not_reached: 'The server was not reached.',
    mcp_on: 'On: programs with an API token reach the servers at {{url}}.',
    mcp_off:
      'Off: nobody can use it. An administrator turns it on in the settings; programs with an API token then use it at {{url}}.',
    mcp_unknown: 'Only administrators can see whether it is on.',
    mcp_none: 'This server has none.',
  },
  hidden_title: 'It does not have, and the console therefore hides:',
  hidden: {
    tokens: 'API tokens',
    transfers: 'Server transfers',
    sessions: 'List of own sessions',
    audit: 'Audit log',
    sign_out: 'Ending a session at the server',
    address_preview: 'Trying a real IP header before it is saved',
  },
  checking: 'Checking…',
  again: 'Check again',
  copy: 'Copy report',
  copied: 'Copied. The report holds no addresses, names or secrets.',
  copy_by_hand: 'The browser does not allow copying. Select the text:',
  proxyConfig: 'Lines for the proxy',
  back: 'To the console',
}
