import { z } from 'zod'
import { answer, optionalAnswer, optionalSecret, type Preset } from './preset.ts'

const tlsPort = 465

export const mail: Preset = {
  id: 'mail',
  name: 'Mail (SMTP)',
  announced: 'notifiers',
  help: {
    en: 'The mail server of your provider. Port 465 begins with TLS, others change to TLS before anything is sent; without TLS nothing is sent.',
    it: 'Il server di posta del tuo provider. La porta 465 inizia con TLS, le altre passano a TLS prima di inviare qualsiasi cosa; senza TLS non si invia nulla.',
    zhCN: '您的邮件服务商的服务器。端口 465 一开始即用 TLS，其他端口会先切换到 TLS 再发送；没有 TLS 则不发送。',
    zhTW: '您的郵件服務商的伺服器。連接埠 465 一開始即用 TLS，其他連接埠會先切換到 TLS 再傳送；沒有 TLS 則不傳送。',
    de: 'Der Mailserver des Anbieters. Port 465 beginnt mit TLS, andere wechseln zu TLS, bevor etwas gesendet wird; ohne TLS wird nichts gesendet.',
  },
  questions: {
    host: {
      answer: answer(),
      label: { en: 'Mail server', it: 'Server di posta', zhCN: '邮件服务器', zhTW: '郵件伺服器', de: 'Mailserver' },
    },
    port: {
      answer: z.int().min(1).max(65_535).default(tlsPort),
      label: { en: 'Port', it: 'Porta', zhCN: '端口', zhTW: '連接埠', de: 'Port' },
    },
    user: {
      answer: optionalAnswer(),
      label: { en: 'User name', it: 'Nome utente', zhCN: '用户名', zhTW: '使用者名稱', de: 'Benutzername' },
    },
    password: {
      answer: optionalSecret(),
      label: { en: 'Password', it: 'Password', zhCN: '密码', zhTW: '密碼', de: 'Passwort' },
    },
    from: {
      answer: answer(),
      label: { en: 'Sender', it: 'Mittente', zhCN: '发件人', zhTW: '寄件者', de: 'Absender' },
    },
    to: {
      answer: answer(),
      label: { en: 'Recipients', it: 'Destinatari', zhCN: '收件人', zhTW: '收件者', de: 'Empfänger' },
      help: {
        en: 'Up to 20 addresses with commas between them.',
        it: 'Fino a 20 indirizzi separati da virgole.',
        zhCN: '最多 20 个地址，以逗号分隔。',
        zhTW: '最多 20 個地址，以逗號分隔。',
        de: 'Bis zu 20 Adressen, durch Kommas getrennt.',
      },
    },
  },
  fill({ host, port, user = '', password = '', from = '', to = '' }) {
    const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
    const scheme = Number(port) === tlsPort ? 'smtps' : 'smtp'
    const query = new URLSearchParams({ from, to })
    // A mail has neither; the form hides them.
    const unused = { request_method: 1, request_type: 1, request_header: '', request_body: '' }
    return { url: `${scheme}://${login}${host}:${port}/?${query}`, ...unused }
  },
}
