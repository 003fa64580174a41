import type { serverGroup as entity } from '../../src/schemas/serverGroup.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const serverGroup = entityTexts<typeof entity>({
  name: {
    en: 'Server group',
    it: 'Gruppo di server |||| Gruppi di server',
    zhCN: '服务器分组',
    zhTW: '伺服器群組',
    de: 'Servergruppe |||| Servergruppen',
  },
  menu: { en: 'Group', it: 'Gruppo', zhCN: '分组', zhTW: '群組', de: 'Gruppe' },
  empty: {
    en: 'Server groups combine servers that you want to view and select together.',
    it: 'I gruppi di server riuniscono i server da vedere e scegliere insieme.',
    zhCN: '服务器分组用于将需要一起查看和选择的服务器归在一起。',
    zhTW: '伺服器群組可將需要一起檢視和選取的伺服器歸在一起。',
    de: 'Servergruppen fassen Server zusammen, die man gemeinsam sehen und auswählen will.',
  },
  fields: {
    read_only: { en: 'Read-only', it: 'Sola lettura', zhCN: '只读', zhTW: '唯讀', de: 'Nur lesen' },
    servers: { it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
  },
})
