import type { waf as entity } from '../../src/schemas/waf.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const waf = entityTexts<typeof entity>({
  name: {
    en: 'Blocked address',
    it: 'Indirizzo bloccato |||| Indirizzi bloccati',
    zhCN: '封禁地址',
    zhTW: '封鎖位址',
    de: 'Gesperrte Adresse |||| Gesperrte Adressen',
  },
  counted: { de: '%{smart_count} gesperrte Adresse |||| %{smart_count} gesperrte Adressen' },
  empty: {
    en: 'Addresses with failed sign-ins or blocks are listed here, even after a block has ended.',
    it: 'Qui compaiono gli indirizzi con accessi non riusciti o bloccati, anche quando il blocco è finito.',
    zhCN: '登录失败或被封禁的地址会列在这里，封禁结束后也会保留。',
    zhTW: '登入失敗或遭封鎖的位址會列在這裡，封鎖結束後也會保留。',
    de: 'Hier stehen Adressen mit fehlgeschlagenen Anmeldungen oder Sperren, auch wenn die Sperre vorbei ist.',
  },
  fields: {
    ip: { it: 'IP', zhCN: 'IP', zhTW: 'IP', de: 'IP' },
    count: { it: 'Conteggio', zhCN: '次数', zhTW: '次數', de: 'Anzahl' },
    block_reason: {
      en: 'Last block reason',
      it: 'Motivo dell’ultimo blocco',
      zhCN: '最近封禁原因',
      zhTW: '最近封鎖原因',
      de: 'Letzter Sperrgrund',
    },
    block_identifier: { it: 'Identificatore del blocco', zhCN: '封禁标识', zhTW: '封鎖識別碼', de: 'Sperrkennung' },
    block_timestamp: {
      en: 'Last block time',
      it: 'Ora dell’ultimo blocco',
      zhCN: '最近封禁时间',
      zhTW: '最近封鎖時間',
      de: 'Letzte Sperrzeit',
    },
    blocked_until: { it: 'Bloccato fino a', zhCN: '封禁至', zhTW: '封鎖至', de: 'Gesperrt bis' },
  },
  columns: {
    until: { en: 'Blocked until', it: 'Bloccato fino a', zhCN: '封禁至', zhTW: '封鎖至', de: 'Gesperrt bis' },
  },
  choices: {
    block_reason: {
      login_failed: { it: 'Accesso non riuscito', zhCN: '登录失败', zhTW: '登入失敗', de: 'Anmeldung fehlgeschlagen' },
      token_attack: {
        en: 'Brute-force attack on a token',
        it: 'Attacco a forza bruta a un token',
        zhCN: '暴力破解令牌',
        zhTW: '暴力破解權杖',
        de: 'Brute-Force-Angriff auf ein Token',
      },
      agent_attack: {
        en: 'Brute-force attack on an agent secret',
        it: 'Attacco a forza bruta alla chiave di un agente',
        zhCN: '暴力破解 Agent 密钥',
        zhTW: '暴力破解 Agent 金鑰',
        de: 'Brute-Force-Angriff auf einen Agent-Schlüssel',
      },
      by_admin: {
        en: 'Blocked by an admin',
        it: 'Bloccato da un amministratore',
        zhCN: '被管理员封禁',
        zhTW: '遭管理員封鎖',
        de: 'Von einem Administrator gesperrt',
      },
      oauth2_attack: {
        en: 'Brute-force attack on OAuth2',
        it: 'Attacco a forza bruta a OAuth2',
        zhCN: '暴力破解 OAuth2',
        zhTW: '暴力破解 OAuth2',
        de: 'Brute-Force-Angriff auf OAuth2',
      },
    },
    block_identifier: {
      agent: {
        en: 'gRPC authentication failed',
        it: 'Autenticazione gRPC non riuscita',
        zhCN: 'gRPC 认证失败',
        zhTW: 'gRPC 驗證失敗',
        de: 'gRPC-Authentifizierung fehlgeschlagen',
      },
      token: {
        en: 'API token is invalid',
        it: 'Token API non valido',
        zhCN: 'API 令牌无效',
        zhTW: 'API 權杖無效',
        de: 'API-Token ist ungültig',
      },
      unknown_user: {
        en: 'User is invalid',
        it: 'Utente non valido',
        zhCN: '用户无效',
        zhTW: '使用者無效',
        de: 'Benutzer ist ungültig',
      },
      by_admin: {
        en: 'Blocked by an admin',
        it: 'Bloccato da un amministratore',
        zhCN: '被管理员封禁',
        zhTW: '遭管理員封鎖',
        de: 'Von einem Administrator gesperrt',
      },
    },
  },
  values: {
    for_ever: { en: 'Permanently', it: 'Permanente', zhCN: '永久', zhTW: '永久', de: 'Dauerhaft' },
    at_least_until: {
      en: 'At least until %{time}',
      it: 'Almeno fino a %{time}',
      zhCN: '至少到 %{time}',
      zhTW: '至少到 %{time}',
      de: 'Mindestens bis %{time}',
    },
    over_since: {
      en: 'Ended %{time}',
      it: 'Terminato: %{time}',
      zhCN: '已于 %{time} 结束',
      zhTW: '已於 %{time} 結束',
      de: 'Beendet: %{time}',
    },
    or_later: {
      en: '%{time} or later',
      it: '%{time} o più tardi',
      zhCN: '%{time} 或更晚',
      zhTW: '%{time} 或更晚',
      de: '%{time} oder später',
    },
  },
  deleteNote: {
    en: 'All entries of the address are removed, and it may try again at once.',
    it: 'Tutte le voci dell’indirizzo vengono rimosse e può riprovare subito.',
    zhCN: '该地址的所有记录都会被移除，可以立即重试。',
    zhTW: '該位址的所有記錄都會移除，可以立即重試。',
    de: 'Alle Einträge der Adresse werden entfernt, und sie darf es sofort wieder versuchen.',
  },
})
