import type { serverShare as entity } from '../../src/schemas/serverShare.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const serverShare = entityTexts<typeof entity>({
  name: {
    en: 'Share',
    it: 'Condivisione |||| Condivisioni',
    zhCN: '共享',
    zhTW: '共用',
    de: 'Freigabe |||| Freigaben',
  },
  empty: {
    en: 'A share lets members see servers of others, read-only: state, metrics and addresses, but neither notes nor terminal nor files.',
    it: 'Una condivisione permette ai membri di vedere in sola lettura server di altri: stato, metriche e indirizzi, ma né note né terminale né file.',
    zhCN: '通过共享，成员可以只读方式查看他人的服务器：状态、指标和地址，但不包括备注、终端和文件。',
    zhTW: '透過共用，成員可以唯讀方式檢視他人的伺服器：狀態、指標與位址，但不包括備註、終端機與檔案。',
    de: 'Eine Freigabe zeigt Mitgliedern Server anderer, nur lesend: Zustand, Messwerte und Adressen, aber weder Notizen noch Terminal noch Dateien.',
  },
  fields: {
    users: { en: 'Members', it: 'Membri', zhCN: '成员', zhTW: '成員', de: 'Mitglieder' },
    servers: { it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    server_groups: { it: 'Gruppi di server', zhCN: '服务器分组', zhTW: '伺服器群組', de: 'Servergruppen' },
  },
  help: {
    servers: {
      en: 'They see state, metrics and addresses. Notes, terminal, files and changes stay with the owner.',
      it: 'Vedono stato, metriche e indirizzi. Note, terminale, file e modifiche restano al proprietario.',
      zhCN: '成员可以看到状态、指标和地址；备注、终端、文件和修改仍仅限所有者。',
      zhTW: '成員可以看到狀態、指標與位址；備註、終端機、檔案與變更仍僅限擁有者。',
      de: 'Sie sehen Zustand, Messwerte und Adressen. Notizen, Terminal, Dateien und Änderungen bleiben beim Eigentümer.',
    },
    server_groups: {
      en: 'All servers of these groups, those that are added later too.',
      it: 'Tutti i server di questi gruppi, anche quelli aggiunti in seguito.',
      zhCN: '这些分组中的所有服务器，包括以后加入的。',
      zhTW: '這些群組中的所有伺服器，包括日後加入的。',
      de: 'Alle Server dieser Gruppen, auch später hinzugefügte.',
    },
  },
})
