/** The settings of the site, one by one. */
export const setting = {
  name: 'Setting |||| Settings',
  counted: '%{smart_count} setting |||| %{smart_count} settings',
  empty: 'What is set for the whole site.',
  fields: {
    site_name: 'Site name',
    language: 'Language',
    user_template: 'Theme',
    custom_code: 'Custom code',
    custom_code_dashboard: 'Custom code for the dashboard',
    install_host: 'Dashboard original host',
    tls: 'Agents use TLS',
    dns_servers: 'Custom DNS servers',
    dashboard_host: 'Dashboard host',
    reserved_hosts: 'Reserved hosts',
    web_real_ip_header: 'Real IP header',
    agent_real_ip_header: 'Real IP header of agents',
    enable_ip_change_notification: 'Notify when the IP of a server changes',
    ip_change_notification_group_id: 'Notifier group',
    cover: 'Coverage',
    ignored_ip_notification: 'Specific servers',
    enable_plain_ip_in_notification: 'Full IP in notifications',
    enable_mcp: 'MCP',
    admin_template: 'Theme of the dashboard',
    oauth2_providers: 'OAuth2 providers',
    ignored_ip_notification_server_ids: 'Servers without IP notices',
  },
  help: {
    site_name: 'In the title of every page, for visitors too.',
    language: 'For everybody who has not chosen one, and for what the server itself says.',
    user_template: 'What the visitor site looks like.',
    custom_code: 'HTML, styles and scripts of the visitor site. This console keeps it and does not run it.',
    custom_code_dashboard:
      'HTML, styles and scripts that this console runs at its start, for everybody. With it the browser’s protection against foreign scripts (Content-Security-Policy) is relaxed; both take effect on reload. If it breaks the console, open it with ?safe=1.',
    install_host: 'Host and port to which agents connect, such as agents.example.org:8008. Install commands need it.',
    tls: 'Install commands tell the agents to connect over TLS.',
    dns_servers: 'Comma-separated, such as 1.1.1.1:53,8.8.8.8:53.',
    dashboard_host: 'Host of the OAuth2 return address when the one in the address bar is not known.',
    reserved_hosts: 'Host names that NAT profiles may not take, comma-separated.',
    web_real_ip_header:
      'The header in which your proxy tells a visitor’s address; its last element counts. Empty: no addresses are known, and nobody is blocked.',
    agent_real_ip_header: 'The same for agents. An agent that connects without it is refused.',
    ip_change_notification_group_id: 'Who is told.',
    ignored_ip_notification: 'The exceptions, or the only ones, as the coverage says.',
    enable_plain_ip_in_notification:
      'Otherwise a part of every address in the message is masked. #SERVER.IP# is always full.',
    enable_mcp: 'Lets language models use the server over the Model Context Protocol.',
  },
  choices: {
    cover: { exclude: 'All but specific servers', only: 'Only specific servers' },
  },
  sections: {
    site: 'Site',
    agents: 'Agents',
    hosts: 'Hosts and access',
    addresses: 'Addresses of visitors',
    notices: 'IP change notification',
    code: 'Custom code',
  },
}

/** What the settings page says around them. */
export const siteSettings = {
  site: {
    title: 'Settings',
    saved: 'Success',
    review: 'Review changes',
    review_title: 'What will change',
    setting: 'Setting',
    now: 'Now',
    new: 'New',
    save: 'Save %{smart_count} change |||| Save %{smart_count} changes',
    idle: 'This server keeps it, and does nothing with it.',
    official: 'Official',
    community: 'Community',
    theme_by: 'by %{author}',
    unknown_theme: 'The chosen theme is not among them: %{theme}',
    community_warning:
      'Community themes are made by others and run in your visitors’ browsers. Choose only what you trust.',
    direct_ip: 'Use direct connecting IP',
    direct_ip_for: '%{setting}: use direct connecting IP',
    unheard_proxy:
      'A proxy on the server’s machine forwards requests, and their addresses are not read: one person’s wrong passwords would block everybody. Set the real IP header below to the one that your proxy writes.',
    code_warning:
      'This code runs in the browser of everybody who opens the console, with all their rights. With it the Content-Security-Policy is relaxed. Both take effect on reload; ?safe=1 in the address starts without it.',
    code_gone: 'Without custom code the strict Content-Security-Policy applies again, on reload.',
    language_switched: 'The interface now speaks %{language}, like the site.',
    speak_again: 'Back to %{language}',
    real_ip: {
      title: 'Before you change the real IP header:',
      seen: 'The server will then see %{address} for this browser.',
      missing: 'Your requests do not carry this header: “%{reason}”. Everybody who comes this way is shut out.',
      none: 'The server will then know no addresses, and block nobody.',
      unknown:
        'This server cannot tell which address it will see. If your proxy does not write this header, everybody is shut out.',
      asking: 'Asking which address the server will see…',
      sessions_end: 'Running sessions end, yours too: sign in again afterwards.',
      sessions_stay:
        'That is the address of your session, so it goes on. Sessions whose address is seen differently end.',
      remedy_start: 'Should it go wrong, stop the server and start it once with:',
      remedy_file: 'Should it go wrong, put this line back into the server’s configuration file and restart it:',
      copy_remedy: 'Copy the line',
      consent: 'I can get at the server’s machine if I am shut out',
    },
  },
}
