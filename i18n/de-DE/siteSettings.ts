/** Die Einstellungen der Website, eine nach der anderen. */
export const setting = {
  name: 'Einstellung |||| Einstellungen',
  counted: '%{smart_count} Einstellung |||| %{smart_count} Einstellungen',
  empty: 'Was für die ganze Website eingestellt ist.',
  fields: {
    site_name: 'Name der Website',
    language: 'Sprache',
    user_template: 'Design',
    custom_code: 'Eigener Code',
    custom_code_dashboard: 'Eigener Code für das Dashboard',
    install_host: 'Ursprünglicher Host des Dashboards',
    tls: 'Agents verwenden TLS',
    dns_servers: 'Eigene DNS-Server',
    dashboard_host: 'Host des Dashboards',
    reserved_hosts: 'Vorbehaltene Hosts',
    web_real_ip_header: 'Header mit der echten IP',
    agent_real_ip_header: 'Header mit der echten IP der Agents',
    enable_ip_change_notification: 'Melden, wenn sich die IP eines Servers ändert',
    ip_change_notification_group_id: 'Benachrichtigungsgruppe',
    cover: 'Abdeckung',
    ignored_ip_notification: 'Bestimmte Server',
    enable_plain_ip_in_notification: 'Vollständige IP in Meldungen',
    enable_mcp: 'MCP',
    admin_template: 'Design des Dashboards',
    oauth2_providers: 'OAuth2-Anbieter',
    ignored_ip_notification_server_ids: 'Server ohne IP-Meldungen',
  },
  help: {
    site_name: 'Im Titel jeder Seite, auch für Besucher.',
    language: 'Für alle, die keine gewählt haben, und für das, was der Server selbst sagt.',
    user_template: 'Wie die Website für Besucher aussieht.',
    custom_code:
      'HTML, Stile und Skripte der Website für Besucher. Diese Konsole bewahrt sie auf und führt sie nicht aus.',
    custom_code_dashboard:
      'HTML, Stile und Skripte, die diese Konsole beim Start für alle ausführt. Der Schutz des Browsers vor fremden Skripten (Content-Security-Policy) ist damit gelockert; beides gilt nach dem Neuladen. Macht der Code die Konsole unbrauchbar, öffnet ?safe=1 sie ohne ihn.',
    install_host:
      'Host und Port, mit denen sich Agents verbinden, etwa agents.example.org:8008. Installationsbefehle brauchen ihn.',
    tls: 'Installationsbefehle lassen die Agents über TLS verbinden.',
    dns_servers: 'Durch Kommas getrennt, etwa 1.1.1.1:53,8.8.8.8:53.',
    dashboard_host: 'Host der OAuth2-Rückkehradresse, wenn der in der Adresszeile nicht bekannt ist.',
    reserved_hosts: 'Hostnamen, die kein NAT-Profil belegen darf, durch Kommas getrennt.',
    web_real_ip_header:
      'Der Header, in dem der Proxy die Adresse des Besuchers nennt; das letzte Element zählt. Leer: Es sind keine Adressen bekannt, und niemand wird gesperrt.',
    agent_real_ip_header: 'Dasselbe für Agents. Ein Agent, der sich ohne ihn verbindet, wird abgewiesen.',
    ip_change_notification_group_id: 'Wer es erfährt.',
    ignored_ip_notification: 'Die Ausnahmen oder die einzigen, je nach Abdeckung.',
    enable_plain_ip_in_notification:
      'Sonst wird ein Teil jeder Adresse in der Meldung verdeckt. #SERVER.IP# ist immer vollständig.',
    enable_mcp: 'Lässt Sprachmodelle den Server über das Model Context Protocol benutzen.',
  },
  choices: {
    cover: { exclude: 'Alle außer bestimmten Servern', only: 'Nur bestimmte Server' },
  },
  sections: {
    site: 'Website',
    agents: 'Anbindung der Agents',
    hosts: 'Hosts und Zugang',
    addresses: 'Adressen der Besucher',
    notices: 'Meldung bei IP-Änderung',
    code: 'Eigener Code',
  },
}

/** Was die Seite der Einstellungen darum herum sagt. */
export const siteSettings = {
  site: {
    title: 'Einstellungen',
    saved: 'Gespeichert',
    review: 'Änderungen prüfen',
    review_title: 'Was sich ändert',
    setting: 'Einstellung',
    now: 'Jetzt',
    new: 'Neu',
    save: '%{smart_count} Änderung speichern |||| %{smart_count} Änderungen speichern',
    idle: 'Dieser Server bewahrt es auf und tut nichts damit.',
    official: 'Offiziell',
    community: 'Aus der Community',
    theme_by: 'von %{author}',
    unknown_theme: 'Das gewählte Design ist nicht darunter: %{theme}',
    community_warning:
      'Designs aus der Community haben andere gemacht; sie laufen in den Browsern der Besucher. Nur wählen, was vertrauenswürdig ist.',
    direct_ip: 'IP der direkten Verbindung verwenden',
    direct_ip_for: '%{setting}: IP der direkten Verbindung verwenden',
    unheard_proxy:
      'Ein Proxy auf der Maschine des Servers leitet Anfragen weiter, und deren Adressen liest niemand: Die falschen Passwörter einer Person würden alle aussperren. Unten den Header eintragen, den der Proxy schreibt.',
    code_warning:
      'Dieser Code läuft im Browser aller, die die Konsole öffnen, mit allen ihren Rechten. Die Content-Security-Policy ist damit gelockert. Beides gilt nach dem Neuladen; ?safe=1 in der Adresse startet ohne ihn.',
    code_gone: 'Ohne eigenen Code gilt nach dem Neuladen wieder die strenge Content-Security-Policy.',
    language_switched: 'Die Oberfläche spricht jetzt %{language}, wie die Website.',
    speak_again: 'Zurück zu %{language}',
    real_ip: {
      title: 'Vor dem Ändern des Headers mit der echten IP:',
      seen: 'Der Server wird für diesen Browser dann %{address} sehen.',
      missing:
        'Die Anfragen dieses Browsers tragen diesen Header nicht: „%{reason}“. Wer auf diesem Weg kommt, ist ausgesperrt.',
      none: 'Der Server wird dann keine Adressen kennen und niemanden sperren.',
      unknown:
        'Dieser Server kann nicht sagen, welche Adresse er sehen wird. Schreibt der Proxy diesen Header nicht, sind alle ausgesperrt.',
      asking: 'Frage, welche Adresse der Server sehen wird …',
      sessions_end: 'Laufende Sitzungen enden, auch diese: Danach ist eine neue Anmeldung nötig.',
      sessions_stay:
        'Das ist die Adresse dieser Sitzung, sie läuft also weiter. Sitzungen, deren Adresse anders gesehen wird, enden.',
      remedy_start: 'Geht es schief, den Server anhalten und einmal mit dieser Einstellung starten:',
      remedy_file:
        'Geht es schief, diese Zeile wieder in die Konfigurationsdatei des Servers schreiben und ihn neu starten:',
      copy_remedy: 'Zeile kopieren',
      consent: 'Ich komme an die Maschine des Servers heran, falls ich ausgesperrt werde',
    },
  },
}
