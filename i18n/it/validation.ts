import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: 'Campo obbligatorio',
  min_length: 'Almeno %{min} caratteri',
  max_length: 'Al massimo %{max} caratteri',
  min_value: 'Il valore minimo è %{min}',
  text_list: 'Stringa JSON non valida: serve un elenco di testi, ad esempio ["/", "/home"]',
  flag_map: 'Stringa JSON non valida: servono nomi con true o false, ad esempio {"eth0": true}',
  max_value: 'Il valore massimo è %{max}',
  integer: 'Deve essere un numero intero',
  number: 'Deve essere un numero',
  url: 'Deve essere un indirizzo web che inizia con http:// o https://',
  json: 'Testo JSON non valido',
  text_pairs: 'Deve essere un oggetto JSON di testi, ad esempio {"X-Token": "abc"}',
  choice: "Scegli uno dei valori dell'elenco",
  invalid: 'Questo valore non è valido',
  target_icmp: 'Deve essere un nome host o un indirizzo IP, senza porta',
  target_tcp: 'Deve essere un host con la porta, ad esempio example.com:443',
  cover_alarmed: 'Le attività pianificate non possono essere attivate da un allarme: scegli altri server',
  cron_empty: 'Inserisci un’espressione cron',
  cron_fields:
    'Servono 6 campi: secondo, minuto, ora, giorno del mese, mese, giorno della settimana. Trovati: %{found}',
  cron_low: '«%{part}» inizia sotto %{least}, il minimo di questo campo',
  cron_high: '«%{part}» supera %{most}, il massimo di questo campo',
  cron_backwards: '«%{part}» finisce prima di iniziare',
  cron_step: 'Il passo di «%{part}» deve essere almeno 1',
  cron_hyphens: '«%{part}» ha troppi trattini',
  cron_slashes: '«%{part}» ha troppe barre',
  cron_number: '«%{part}» non è un numero ammesso qui',
  cron_descriptor: '«%{part}» è sconosciuto. Usa @hourly, @daily, @weekly, @monthly, @yearly o @every',
  cron_duration: 'Dopo @every scrivi una durata, ad esempio 90s, 5m o 1h30m',
  cron_zone: 'Il fuso orario «%{zone}» non esiste',
} satisfies SameShape<typeof english>
