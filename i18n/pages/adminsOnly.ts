import type { Texts } from '../define/text.ts'

/** In place of a screen that members may not see. */
export const adminsOnly = {
  admins_only: {
    text: {
      en: 'This page is for administrators only.',
      it: 'Questa pagina è riservata agli amministratori.',
      zhCN: '此页面仅供管理员使用。',
      zhTW: '此頁面僅供管理員使用。',
      de: 'Diese Seite ist nur für Administratoren.',
    },
  },
} satisfies Texts
