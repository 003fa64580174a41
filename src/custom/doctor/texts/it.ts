import type { DoctorTexts } from './types.ts'

export const texts: DoctorTexts = {
  title: 'Verifica della connessione',
  intro: 'Verificato ora da questo browser. Nessuna impostazione viene modificata.',
  checks: {
    tls: 'Cifratura',
    api: 'API',
    cookies: 'Cookie',
    csrf: 'Protezione CSRF',
    clock: 'Orologi',
    socket: 'WebSocket',
    address: 'Il tuo indirizzo',
    age: 'Server',
    mcp: 'Model Context Protocol (MCP)',
  },
  health: { good: 'A posto', warning: 'Da controllare', bad: 'Guasto', skipped: 'Non verificato' },
  outcomes: {
    tls_good: 'Questa pagina è arrivata via HTTPS.',
    tls_here: 'Questa pagina arriva da questo stesso computer: nessuno può ascoltare nel mezzo.',
    tls_missing:
      'Questa pagina è arrivata senza HTTPS: le password possono essere lette lungo il percorso. Metti un proxy con certificato davanti al server.',
    api_good: 'Il server risponde in JSON.',
    api_page:
      'Invece del JSON è arrivata una pagina, con stato {{status}}: qualcosa lungo il percorso risponde al posto del server. Il proxy deve inoltrare tutto ciò che sta sotto /api/v1.',
    api_blocked:
      'Il tuo indirizzo è bloccato, per accessi falliti o da un proxy. Attendi un po’, oppure chiedi a un amministratore di toglierlo dagli indirizzi bloccati.',
    api_gateway:
      'Il proxy risponde con stato {{status}}: non raggiunge il server. Il server è in esecuzione, e la porta nelle impostazioni del proxy è quella giusta?',
    api_unreachable: 'Nessuna risposta. Il server è in esecuzione, e questo indirizzo porta al server?',
    api_said:
      'Il server rifiuta tutto: «{{words}}». Se gli manca un’intestazione IP, il proxy deve inviare quella impostata come intestazione con l’IP reale.',
    cookies_good: 'Questo browser conserva i cookie.',
    cookies_session: 'Questo browser conserva i cookie, e il server accetta quello della tua sessione.',
    cookies_off:
      'Questo browser non conserva i cookie di questo sito, quindi nessuno può restare connesso. Consentili per questo indirizzo.',
    cookies_over: 'Questo browser conserva i cookie, ma la tua sessione è terminata. Accedi di nuovo.',
    csrf_good: 'Cookie e intestazione corrispondono, e il server li accetta.',
    csrf_none: 'Questo server non la prevede: è precedente alla v2.1.0.',
    csrf_refused:
      'Il server rifiuta la coppia di cookie e intestazione, quindi non si può salvare nulla. Esci e accedi di nuovo. Se non basta, il proxy elimina l’intestazione X-CSRF-Token o uno dei cookie.',
    signed_out: 'Prima accedi, poi ripeti la verifica.',
    clock_good: 'Questo computer e il server differiscono di {{seconds}} s.',
    clock_ahead:
      'L’orologio di questo computer è avanti di {{seconds}} s rispetto al server: gli orari mostrati sono sbagliati di altrettanto. Regola entrambi con un server dell’ora.',
    clock_behind:
      'L’orologio di questo computer è indietro di {{seconds}} s rispetto al server: gli orari mostrati sono sbagliati di altrettanto. Regola entrambi con un server dell’ora.',
    clock_unknown: 'Il server non comunica la sua ora.',
    socket_good: 'Si apre, e i dati in tempo reale arrivano ogni {{seconds}} s.',
    socket_refused: 'Non si apre: niente dati in tempo reale, terminali e file. Il proxy deve inoltrare i WebSocket.',
    socket_refused_anonymous:
      'Non si apre. Alcuni server mostrano i dati in tempo reale solo a chi ha effettuato l’accesso: accedi e ripeti la verifica. Se non cambia, il proxy deve inoltrare i WebSocket.',
    socket_silent: 'Si apre, ma non arriva nulla: qualcosa lungo il percorso trattiene i dati.',
    socket_stopped: 'I primi dati sono arrivati, poi più nulla: qualcosa lungo il percorso interrompe la connessione.',
    address_good: 'Il server vede {{address}}.',
    address_inner:
      'Il server vede {{address}}, che è l’indirizzo del proxy: tutti sembrano la stessa persona, e le password sbagliate di una persona bloccano anche altri. Il proxy deve inviare un’intestazione, da impostare come intestazione con l’IP reale: X-Real-IP.',
    address_none:
      'Il server non conosce gli indirizzi, quindi nessuno viene mai bloccato dopo accessi falliti. Il proxy deve inviare un’intestazione, da impostare come intestazione con l’IP reale: X-Real-IP.',
    age_embedded: 'Il server proprio di Wheelhouse {{version}}.',
    age_newer: 'Un server Nezha v2.1.0 o successivo. {{version}}',
    age_middle: 'Un server Nezha v2, probabilmente precedente alla v2.1.0. {{version}}',
    age_older: 'Un server Nezha v1. {{version}}',
    not_reached: 'Il server non è stato raggiunto.',
    mcp_on: 'Attivo: i programmi con un token API raggiungono i server all’indirizzo {{url}}.',
    mcp_off:
      'Disattivato: nessuno può usarlo. Un amministratore lo attiva nelle impostazioni; i programmi con un token API lo usano poi all’indirizzo {{url}}.',
    mcp_unknown: 'Solo gli amministratori vedono se è attivo.',
    mcp_none: 'Questo server non lo offre.',
  },
  hidden_title: 'Non dispone di queste funzioni, che la console quindi nasconde:',
  hidden: {
    tokens: 'Token API',
    transfers: 'Trasferimenti di server',
    sessions: 'Elenco delle proprie sessioni',
    audit: 'Registro delle attività',
    sign_out: 'Chiusura delle sessioni sul server',
    address_preview: 'Prova dell’intestazione con l’IP reale prima di salvare',
  },
  checking: 'Verifica in corso…',
  again: 'Ripeti la verifica',
  copy: 'Copia il rapporto',
  copied: 'Copiato. Il rapporto non contiene indirizzi, nomi o segreti.',
  copy_by_hand: 'Il browser non consente la copia. Seleziona il testo:',
  proxyConfig: 'Righe per il proxy',
  back: 'Alla console',
}
