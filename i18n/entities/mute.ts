import type { mute as entity } from '../../src/schemas/mute.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const mute = entityTexts<typeof entity>({
  name: {
    en: 'Mute',
    it: 'Silenziamento |||| Silenziamenti',
    zhCN: '静音',
    zhTW: '靜音',
    de: 'Stummschaltung |||| Stummschaltungen',
  },
  empty: {
    en: 'Nothing is muted. Servers, services, rules and alarms are muted in their menus, for a while.',
    it: 'Nulla è silenziato. Silenzia un server, un servizio o un allarme dal suo menu: fino ad allora nessuno viene avvisato, e il silenziamento termina da solo.',
    zhCN: '当前没有静音。可在服务器、服务或告警的菜单中静音：期间不会通知任何人，到时自动结束。',
    zhTW: '目前沒有靜音。可在伺服器、服務或警報的選單中靜音：期間不會通知任何人，到時自動結束。',
    de: 'Nichts ist stummgeschaltet. Server, Dienste und Alarme lassen sich in ihrem Menü stummschalten: Bis dahin wird nichts gemeldet, und es endet von selbst.',
  },
  fields: {
    server_id: { en: 'Server', it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    rule_id: { en: 'Rule', it: 'Regola', zhCN: '规则', zhTW: '規則', de: 'Regel' },
    service_id: { en: 'Service', it: 'Servizio', zhCN: '服务', zhTW: '服務', de: 'Dienst' },
    ends_at: { en: 'Until', it: 'Fino a', zhCN: '直到', zhTW: '直到', de: 'Bis' },
    username: { en: 'Muted by', it: 'Silenziato da', zhCN: '静音人', zhTW: '靜音者', de: 'Von' },
    created_at: { en: 'Since', it: 'Da', zhCN: '开始于', zhTW: '開始於', de: 'Seit' },
  },
  help: {
    rule_id: {
      en: 'With a server: only on that server. Without one: on all servers.',
      it: 'Con un server: solo su quel server. Senza: su tutti i server.',
      zhCN: '选择服务器时仅对该服务器生效；不选则对所有服务器生效。',
      zhTW: '選擇伺服器時僅對該伺服器生效；不選則對所有伺服器生效。',
      de: 'Mit einem Server: nur auf diesem. Ohne: auf allen Servern.',
    },
    ends_at: {
      en: 'Empty: until it has recovered.',
      it: 'Vuoto: fino al ripristino.',
      zhCN: '留空：直到恢复。',
      zhTW: '留空：直到恢復。',
      de: 'Leer: bis es sich erholt hat.',
    },
  },
})
