import type { DoctorTexts } from './types.ts'

export const texts: DoctorTexts = {
  title: 'Verbindung prüfen',
  intro: 'Soeben von diesem Browser aus geprüft. Einstellungen werden dabei nicht geändert.',
  checks: {
    tls: 'Verschlüsselung',
    api: 'API',
    cookies: 'Cookies',
    csrf: 'CSRF-Schutz',
    clock: 'Uhren',
    socket: 'WebSocket',
    address: 'Ihre Adresse',
    age: 'Server',
    mcp: 'Model Context Protocol (MCP)',
  },
  health: { good: 'In Ordnung', warning: 'Bitte ansehen', bad: 'Gestört', skipped: 'Nicht geprüft' },
  outcomes: {
    tls_good: 'Diese Seite kam über HTTPS.',
    tls_here: 'Diese Seite kommt von diesem Computer selbst: Dazwischen kann niemand mitlesen.',
    tls_missing:
      'Diese Seite kam ohne HTTPS: Passwörter können unterwegs mitgelesen werden. Einen Proxy mit Zertifikat vor den Server stellen.',
    api_good: 'Der Server antwortet mit JSON.',
    api_page:
      'Statt JSON kam eine Seite mit Status {{status}}: Unterwegs antwortet etwas anstelle des Servers. Der Proxy muss alles unter /api/v1 weiterreichen.',
    api_blocked:
      'Ihre Adresse ist gesperrt, nach fehlgeschlagenen Anmeldungen oder durch einen Proxy. Etwas warten oder jemanden aus der Administration bitten, sie aus den gesperrten Adressen zu löschen.',
    api_gateway:
      'Der Proxy antwortet mit Status {{status}}: Er erreicht den Server nicht. Läuft der Server, und steht sein Port richtig in den Einstellungen des Proxys?',
    api_unreachable: 'Keine Antwort. Läuft der Server, und führt diese Adresse zu ihm?',
    api_said:
      'Der Server lehnt alles ab: „{{words}}“. Fehlt ihm ein IP-Header, muss der Proxy den Header senden, der als Header mit der echten IP eingestellt ist.',
    cookies_good: 'Dieser Browser behält Cookies.',
    cookies_session: 'Dieser Browser behält Cookies, und der Server nimmt das Ihrer Sitzung an.',
    cookies_off:
      'Dieser Browser behält keine Cookies dieser Seite, deshalb kann niemand angemeldet bleiben. Bitte für diese Adresse erlauben.',
    cookies_over: 'Dieser Browser behält Cookies, aber Ihre Sitzung ist beendet. Bitte neu anmelden.',
    csrf_good: 'Cookie und Header passen zusammen, und der Server nimmt sie an.',
    csrf_none: 'Dieser Server hat keinen; er ist älter als v2.1.0.',
    csrf_refused:
      'Der Server lehnt das Paar aus Cookie und Header ab, deshalb lässt sich nichts speichern. Ab- und wieder anmelden. Hilft das nicht, entfernt der Proxy den Header X-CSRF-Token oder eines der Cookies.',
    signed_out: 'Bitte zuerst anmelden und dann erneut prüfen.',
    clock_good: 'Dieser Computer und der Server unterscheiden sich um {{seconds}} s.',
    clock_ahead:
      'Die Uhr dieses Computers geht gegenüber dem Server {{seconds}} s vor: Um so viel sind die angezeigten Zeiten falsch. Beide nach einem Zeitserver stellen.',
    clock_behind:
      'Die Uhr dieses Computers geht gegenüber dem Server {{seconds}} s nach: Um so viel sind die angezeigten Zeiten falsch. Beide nach einem Zeitserver stellen.',
    clock_unknown: 'Der Server nennt seine Zeit nicht.',
    socket_good: 'Er öffnet sich, und alle {{seconds}} s kommen Messwerte.',
    socket_refused:
      'Er öffnet sich nicht: keine Messwerte, Terminals und Dateien. Der Proxy muss WebSockets weiterreichen.',
    socket_refused_anonymous:
      'Er öffnet sich nicht. Manche Server zeigen Messwerte nur Angemeldeten: bitte anmelden und erneut prüfen. Bleibt es dabei, muss der Proxy WebSockets weiterreichen.',
    socket_silent: 'Er öffnet sich, aber es kommt nichts an: Unterwegs hält etwas die Daten zurück.',
    socket_stopped: 'Die ersten Messwerte kamen, dann keine mehr: Unterwegs wird die Verbindung getrennt.',
    address_good: 'Der Server sieht {{address}}.',
    address_inner:
      'Der Server sieht {{address}}, die Adresse des Proxys: Alle sehen gleich aus, und die falschen Passwörter einer Person sperren auch andere aus. Der Proxy muss einen Header senden, der in den Einstellungen als Header mit der echten IP steht: X-Real-IP.',
    address_none:
      'Der Server kennt keine Adressen, deshalb wird nach fehlgeschlagenen Anmeldungen nie jemand gesperrt. Der Proxy muss einen Header senden, der in den Einstellungen als Header mit der echten IP steht: X-Real-IP.',
    age_embedded: 'Der eigene Server von Wheelhouse {{version}}.',
    age_newer: 'Ein Nezha-Server ab v2.1.0. {{version}}',
    age_middle: 'Ein Nezha-Server v2, vermutlich älter als v2.1.0. {{version}}',
    age_older: 'Ein Nezha-Server v1. {{version}}',
    not_reached: 'Der Server wurde nicht erreicht.',
    mcp_on: 'Eingeschaltet: Programme mit einem API-Token erreichen die Server unter {{url}}.',
    mcp_off:
      'Ausgeschaltet: Niemand kann es benutzen. Administratoren schalten es in den Einstellungen ein; Programme mit einem API-Token benutzen es dann unter {{url}}.',
    mcp_unknown: 'Ob es eingeschaltet ist, sehen nur Administratoren.',
    mcp_none: 'Dieser Server hat keines.',
  },
  hidden_title: 'Das hat er nicht, und die Konsole zeigt es deshalb nicht an:',
  hidden: {
    tokens: 'API-Tokens',
    transfers: 'Serverübertragungen',
    sessions: 'Liste der eigenen Sitzungen',
    audit: 'Audit-Protokoll',
    sign_out: 'Sitzungen auf dem Server beenden',
    address_preview: 'Header mit der echten IP vor dem Speichern ausprobieren',
  },
  checking: 'Wird geprüft…',
  again: 'Erneut prüfen',
  copy: 'Bericht kopieren',
  copied: 'Kopiert. Der Bericht enthält keine Adressen, Namen oder Geheimnisse.',
  copy_by_hand: 'Der Browser erlaubt das Kopieren nicht. Bitte den Text markieren:',
  proxyConfig: 'Zeilen für den Proxy',
  back: 'Zur Konsole',
}
