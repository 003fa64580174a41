/** The products whose data can be imported, by the word of the command. */
export const importKinds = {
  nezha: { name: 'Nezha', file: 'sqlite.db', hasSettingsFile: true },
  'uptime-kuma': { name: 'Uptime Kuma', file: 'kuma.db', hasSettingsFile: false },
  beszel: { name: 'Beszel', file: 'data.db', hasSettingsFile: false },
  komari: { name: 'Komari', file: 'komari.db', hasSettingsFile: false },
} as const satisfies Record<string, ImportProduct>

interface ImportProduct {
  name: string
  /** What its database is called in its data folder. */
  file: string
  /** Whether its settings are in a file `config.yaml` beside the database. */
  hasSettingsFile: boolean
}

export type ImportKind = keyof typeof importKinds

/** Bytes of a database that is imported. */
export const maxImportBytes = 2 * 1024 * 1024 * 1024
/** Bytes of one part of it, as it is uploaded: a slow line has a minute for each. */
export const importPartBytes = 1024 * 1024
/** Characters of a settings file. */
export const maxSettingsLength = 262_144
