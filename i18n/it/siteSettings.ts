/** Le impostazioni del sito, una per una. */
export const setting = {
  name: 'Impostazione |||| Impostazioni',
  counted: '%{smart_count} impostazione |||| %{smart_count} impostazioni',
  empty: 'Ciò che vale per tutto il sito.',
  fields: {
    site_name: 'Nome del sito',
    language: 'Lingua',
    user_template: 'Tema',
    custom_code: 'Codice personalizzato',
    custom_code_dashboard: 'Codice personalizzato per la dashboard',
    install_host: 'Host originale della dashboard',
    tls: 'Gli agent usano TLS',
    dns_servers: 'Server DNS personalizzati',
    dashboard_host: 'Host della dashboard',
    reserved_hosts: 'Host riservati',
    web_real_ip_header: 'Intestazione con l’IP reale',
    agent_real_ip_header: 'Intestazione con l’IP reale degli agent',
    enable_ip_change_notification: 'Avvisa quando cambia l’IP di un server',
    ip_change_notification_group_id: 'Gruppo di notifica',
    cover: 'Copertura',
    ignored_ip_notification: 'Server specifici',
    enable_plain_ip_in_notification: 'IP completo nelle notifiche',
    enable_mcp: 'MCP',
    admin_template: 'Tema della dashboard',
    oauth2_providers: 'Provider OAuth2',
    ignored_ip_notification_server_ids: 'Server senza avvisi sull’IP',
  },
  help: {
    site_name: 'Nel titolo di ogni pagina, anche per i visitatori.',
    language: 'Per chi non ne ha scelta una, e per ciò che dice il server stesso.',
    user_template: 'L’aspetto del sito per i visitatori.',
    custom_code: 'HTML, stili e script del sito per i visitatori. Questa console li conserva e non li esegue.',
    custom_code_dashboard:
      'HTML, stili e script che questa console esegue all’avvio, per tutti. La protezione del browser contro gli script estranei (Content-Security-Policy) ne risulta allentata; entrambe le cose valgono dopo il ricaricamento. Se il codice rende inutilizzabile la console, aprila con ?safe=1.',
    install_host:
      'Host e porta a cui si collegano gli agent, per esempio agents.example.org:8008. Serve ai comandi di installazione.',
    tls: 'I comandi di installazione fanno collegare gli agent via TLS.',
    dns_servers: 'Separati da virgole, per esempio 1.1.1.1:53,8.8.8.8:53.',
    dashboard_host: 'Host dell’indirizzo di ritorno di OAuth2, quando quello nella barra degli indirizzi non è noto.',
    reserved_hosts: 'Nomi di host che i profili NAT non possono usare, separati da virgole.',
    web_real_ip_header:
      'L’intestazione in cui il proxy indica l’indirizzo del visitatore; conta l’ultimo elemento. Vuota: gli indirizzi non sono noti e nessuno viene bloccato.',
    agent_real_ip_header: 'Lo stesso per gli agent. Un agent che si collega senza viene respinto.',
    ip_change_notification_group_id: 'Chi viene avvisato.',
    ignored_ip_notification: 'Le eccezioni, o gli unici, secondo la copertura.',
    enable_plain_ip_in_notification:
      'Altrimenti una parte di ogni indirizzo nel messaggio viene nascosta. #SERVER.IP# è sempre completo.',
    enable_mcp: 'Permette ai modelli linguistici di usare il server tramite il Model Context Protocol.',
  },
  choices: {
    cover: { exclude: 'Tutti tranne i server specifici', only: 'Solo i server specifici' },
  },
  sections: {
    site: 'Sito',
    agents: 'Agent',
    hosts: 'Host e accesso',
    addresses: 'Indirizzi dei visitatori',
    notices: 'Avviso di cambio IP',
    code: 'Codice personalizzato',
  },
}

/** Ciò che la pagina delle impostazioni dice intorno. */
export const siteSettings = {
  site: {
    title: 'Impostazioni',
    saved: 'Salvato',
    review: 'Controlla le modifiche',
    review_title: 'Che cosa cambierà',
    setting: 'Impostazione',
    now: 'Adesso',
    new: 'Nuovo',
    save: 'Salva %{smart_count} modifica |||| Salva %{smart_count} modifiche',
    idle: 'Questo server lo conserva e non ne fa nulla.',
    official: 'Ufficiale',
    community: 'Della comunità',
    theme_by: 'di %{author}',
    unknown_theme: 'Il tema scelto non è tra questi: %{theme}',
    community_warning:
      'I temi della comunità sono fatti da altri e vengono eseguiti nei browser dei visitatori. Scegli solo ciò di cui ti fidi.',
    direct_ip: 'Usa l’IP della connessione diretta',
    direct_ip_for: '%{setting}: usa l’IP della connessione diretta',
    unheard_proxy:
      'Un proxy sulla macchina del server inoltra richieste, ma i loro indirizzi non vengono letti: le password sbagliate di una persona bloccherebbero tutti. Indica qui sotto l’intestazione scritta dal proxy.',
    code_warning:
      'Questo codice viene eseguito nel browser di chiunque apra la console, con tutti i suoi diritti. La Content-Security-Policy ne risulta allentata. Entrambe le cose valgono dopo il ricaricamento; ?safe=1 nell’indirizzo avvia senza.',
    code_gone: 'Senza codice personalizzato torna a valere la Content-Security-Policy severa, dopo il ricaricamento.',
    language_switched: 'L’interfaccia ora parla %{language}, come il sito.',
    speak_again: 'Torna a %{language}',
    real_ip: {
      title: 'Prima di cambiare l’intestazione con l’IP reale:',
      seen: 'Il server vedrà %{address} per questo browser.',
      missing: 'Le tue richieste non hanno questa intestazione: “%{reason}”. Chi arriva per questa via resta fuori.',
      none: 'Il server non conoscerà gli indirizzi e non bloccherà nessuno.',
      unknown:
        'Questo server non può dire quale indirizzo vedrà. Se il proxy non scrive questa intestazione, restano fuori tutti.',
      asking: 'Chiedo quale indirizzo vedrà il server…',
      sessions_end: 'Le sessioni in corso terminano, anche la tua: dopo dovrai accedere di nuovo.',
      sessions_stay:
        'È l’indirizzo della tua sessione, che quindi continua. Terminano le sessioni il cui indirizzo viene visto diversamente.',
      remedy_start: 'Se qualcosa va storto, ferma il server e avvialo una volta con:',
      remedy_file: 'Se qualcosa va storto, rimetti questa riga nel file di configurazione del server e riavvialo:',
      copy_remedy: 'Copia la riga',
      consent: 'Posso accedere alla macchina del server se resto fuori',
    },
  },
}
