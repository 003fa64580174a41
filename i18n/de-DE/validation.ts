import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: 'Pflichtfeld',
  min_length: 'Mindestens %{min} Zeichen',
  max_length: 'Höchstens %{max} Zeichen',
  min_value: 'Mindestens %{min}',
  max_value: 'Höchstens %{max}',
  integer: 'Muss eine ganze Zahl sein',
  number: 'Muss eine Zahl sein',
  url: 'Muss eine Webadresse sein, die mit http:// oder https:// beginnt',
  json: 'Ungültiger JSON-Text',
  text_pairs: 'Muss ein JSON-Objekt aus Texten sein, zum Beispiel {"X-Token": "abc"}',
  choice: 'Bitte einen der angebotenen Werte wählen',
  invalid: 'Dieser Wert ist ungültig',
  target_icmp: 'Muss ein Hostname oder eine IP-Adresse sein, ohne Port',
  target_tcp: 'Muss ein Host mit Port sein, zum Beispiel example.com:443',
  cover_alarmed: 'Geplante Aufgaben können nicht durch einen Alarm ausgelöst werden: andere Server wählen',
  cron_empty: 'Einen Cron-Ausdruck eingeben',
  cron_fields: 'Benötigt 6 Felder: Sekunde, Minute, Stunde, Tag des Monats, Monat, Wochentag. Gefunden: %{found}',
  cron_low: '„%{part}“ beginnt unter %{least}, dem kleinsten Wert dieses Felds',
  cron_high: '„%{part}“ geht über %{most} hinaus, den größten Wert dieses Felds',
  cron_backwards: '„%{part}“ endet, bevor es beginnt',
  cron_step: 'Die Schrittweite von „%{part}“ muss mindestens 1 sein',
  cron_hyphens: '„%{part}“ hat zu viele Bindestriche',
  cron_slashes: '„%{part}“ hat zu viele Schrägstriche',
  cron_number: '„%{part}“ ist keine Zahl, die hier stehen kann',
  cron_descriptor: '„%{part}“ ist unbekannt. Möglich sind @hourly, @daily, @weekly, @monthly, @yearly und @every',
  cron_duration: 'Nach @every folgt eine Dauer, zum Beispiel 90s, 5m oder 1h30m',
  cron_zone: 'Die Zeitzone „%{zone}“ gibt es nicht',
} satisfies SameShape<typeof english>
