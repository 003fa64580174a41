import type { resources as english } from '../en-US/resources.ts'
import type { SameShape } from '../types.ts'

/** One block per entity. */
export const resources = {
  server: {
    name: 'Server |||| Server',
    counted: '%{smart_count} Server |||| %{smart_count} Server',
    menu: 'Server',
    empty:
      'Server sind die überwachten Maschinen. Eine Maschine erscheint hier, sobald sie sich zum ersten Mal meldet.',
    fields: {
      id: 'ID',
      name: 'Name',
      display_index: 'Sortierindex',
      note: 'Private Notiz',
      public_note: 'Öffentliche Notiz',
      hide_for_guest: 'Für Gäste verbergen',
      enable_ddns: 'DDNS aktiviert',
      ddns_profiles: 'DDNS-Profile',
      override_ddns_domains: 'Abweichende DDNS-Domains',
      uuid: 'UUID',
      host: 'Maschine',
      'host.version': 'Version',
      state: 'Zustand',
      geoip: 'Standort',
      last_active: 'Zuletzt gesehen',
      owner: 'Eigentümer',
      created_at: 'Angelegt am',
      updated_at: 'Geändert am',
    },
    help: {
      display_index: 'Server mit höherem Wert stehen weiter oben.',
      note: 'Nur für angemeldete Personen sichtbar.',
      public_note: 'Auch für Gäste sichtbar.',
      hide_for_guest: 'Gäste sehen diesen Server überhaupt nicht.',
      override_ddns_domains:
        'JSON: zu jeder ID eines DDNS-Profils die Domains, zum Beispiel {"1": ["www.example.com"]}',
    },
    columns: {
      group: 'Gruppe',
      ip: 'IP',
      status: 'Status',
      cpu: 'CPU',
      memory: 'Arbeitsspeicher',
      swap: 'Swap',
      disk: 'Festplatte',
      traffic: 'Datenverkehr',
      load: 'Last',
      uptime: 'Laufzeit',
      note: 'Notiz',
    },
    values: {
      online: 'Online',
      offline: 'Offline',
      offline_for: 'Offline seit %{duration}',
      unknown: 'Unbekannt',
      not_since_start: 'Nicht seit dem Start des Servers',
      upload: 'Gesendet',
      download: 'Empfangen',
      note_private: 'Private Notiz kopieren',
      note_public: 'Öffentliche Notiz kopieren',
    },
    sections: {
      general: 'Allgemein',
      visibility: 'Sichtbarkeit',
      ddns: 'DDNS',
    },
    deleteNote: 'Eine Maschine, die sich weiterhin meldet, erscheint innerhalb von 10 s als neuer Eintrag.',
  },
  'server-group': {
    name: 'Servergruppe |||| Servergruppen',
    counted: '%{smart_count} Servergruppe |||| %{smart_count} Servergruppen',
    menu: 'Gruppe',
    empty: 'Servergruppen fassen Server zusammen, die man gemeinsam sehen und auswählen will.',
    fields: {
      id: 'ID',
      name: 'Name',
      servers: 'Server',
      created_at: 'Angelegt am',
      updated_at: 'Geändert am',
    },
  },
} satisfies SameShape<typeof english>
