import { bark } from './bark.ts'
import { mail } from './mail.ts'
import { matrix } from './matrix.ts'
import { pagerDuty } from './pagerDuty.ts'
import {
  answer,
  base,
  keywordHelp,
  labels,
  messageAfter,
  optionalAnswer,
  optionalSecret,
  type Preset,
  postRequest,
  secretAnswer,
  webAddress,
} from './preset.ts'
import { serverChan } from './serverChan.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

const weCom: Preset = {
  id: 'wecom',
  name: 'WeCom 企业微信',
  help: {
    en: 'Add a robot to the group chat and copy its webhook. At most 2,048 bytes, which is about 680 Chinese characters. It answers 200 also when it refuses.',
    it: 'Aggiungi un robot alla chat di gruppo e copiane il webhook. Al massimo 2.048 byte. Risponde 200 anche quando rifiuta.',
    zhCN: '在群聊中添加群机器人并复制其 Webhook 地址。最多 2,048 字节，约 680 个汉字。被拒绝时也会返回 200。',
    zhTW: '在群組聊天中新增機器人並複製其 Webhook 網址。最多 2,048 位元組，約 680 個中文字。遭拒絕時也會回傳 200。',
    de: 'Dem Gruppenchat einen Roboter hinzufügen und dessen Webhook kopieren. Höchstens 2.048 Bytes. Er antwortet auch beim Ablehnen mit 200.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { msgtype: 'text', text: { content: '#NEZHA#' } } }),
}

const slack: Preset = {
  id: 'slack',
  name: 'Slack',
  help: {
    en: 'In your Slack app, turn on “Incoming Webhooks” and add one for the channel.',
    it: 'Nella tua app Slack attiva “Incoming Webhooks” e aggiungine uno per il canale.',
    zhCN: '在您的 Slack 应用中启用“Incoming Webhooks”，并为频道添加一个。',
    zhTW: '在您的 Slack 應用程式中啟用「Incoming Webhooks」，並為頻道新增一個。',
    de: 'In der eigenen Slack-App „Incoming Webhooks“ einschalten und einen für den Kanal hinzufügen.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#', mrkdwn: false } }),
}

const pushover: Preset = {
  id: 'pushover',
  name: 'Pushover',
  help: {
    en: 'Create an application on pushover.net for its token; the user key stands on the first page there. At most 1,024 characters.',
    it: 'Su pushover.net crea un’applicazione per ottenere il token; la chiave utente è nella prima pagina. Al massimo 1.024 caratteri.',
    zhCN: '在 pushover.net 创建应用以获得令牌；用户密钥显示在首页。最多 1,024 个字符。',
    zhTW: '在 pushover.net 建立應用程式以取得權杖；使用者金鑰顯示在首頁。最多 1,024 個字元。',
    de: 'Auf pushover.net eine Anwendung für das Token anlegen; der Benutzerschlüssel steht dort auf der ersten Seite. Höchstens 1.024 Zeichen.',
  },
  questions: {
    token: { answer: secretAnswer(), label: labels.token },
    user: {
      answer: secretAnswer(),
      label: {
        en: 'User or group key',
        it: 'Chiave utente o del gruppo',
        zhCN: '用户或群组密钥',
        zhTW: '使用者或群組金鑰',
        de: 'Benutzer- oder Gruppenschlüssel',
      },
    },
  },
  fill: ({ token = '', user = '' }) =>
    postRequest({ url: 'https://api.pushover.net/1/messages.json', form: { token, user, message: '#NEZHA#' } }),
}

const ntfy: Preset = {
  id: 'ntfy',
  name: 'ntfy',
  help: {
    en: 'Whoever knows the name of a topic without access rules can read it: choose one that nobody guesses.',
    it: 'Chi conosce il nome di un topic senza regole di accesso può leggerlo: scegline uno difficile da indovinare.',
    zhCN: '知道主题名称的人都可以读取没有访问限制的主题：请选择难以猜到的名称。',
    zhTW: '知道主題名稱的人都可以讀取沒有存取限制的主題：請選擇難以猜到的名稱。',
    de: 'Wer den Namen eines Themas ohne Zugriffsregeln kennt, kann es lesen: einen wählen, den niemand errät.',
  },
  questions: {
    server: { answer: webAddress('https://ntfy.sh'), label: labels.server },
    topic: { answer: answer(), label: { en: 'Topic', it: 'Topic', zhCN: '主题', zhTW: '主題', de: 'Thema' } },
    token: {
      answer: optionalSecret(),
      label: { en: 'Access token', it: 'Token di accesso', zhCN: '访问令牌', zhTW: '存取權杖', de: 'Zugriffstoken' },
    },
  },
  fill: ({ server, topic, token }) =>
    postRequest({
      url: `${base(server)}/`,
      json: { topic, message: '#NEZHA#' },
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }),
}

const mattermost: Preset = {
  id: 'mattermost',
  name: 'Mattermost',
  help: {
    en: 'Under Integrations, add an incoming webhook for the channel and copy its URL.',
    it: 'In Integrazioni aggiungi un webhook in entrata per il canale e copiane l’URL.',
    zhCN: '在“集成”中为频道添加传入 Webhook 并复制其地址。',
    zhTW: '在「整合」中為頻道新增傳入 Webhook 並複製其網址。',
    de: 'Unter Integrationen einen eingehenden Webhook für den Kanal anlegen und die URL kopieren.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#' } }),
}

const gotify: Preset = {
  id: 'gotify',
  name: 'Gotify',
  help: {
    en: 'Under Apps, create an application and copy its token; a token of a client cannot send.',
    it: 'In Apps crea un’applicazione e copiane il token; con il token di un client non si può inviare.',
    zhCN: '在 Apps 中创建应用并复制其令牌；客户端的令牌不能发送消息。',
    zhTW: '在 Apps 中建立應用程式並複製其權杖；用戶端的權杖無法傳送訊息。',
    de: 'Unter Apps eine Anwendung anlegen und ihr Token kopieren; mit dem Token eines Clients kann man nicht senden.',
  },
  questions: {
    server: { answer: webAddress(), label: labels.server },
    token: { answer: secretAnswer(), label: labels.token },
  },
  fill: ({ server, token = '' }) =>
    postRequest({
      url: `${base(server)}/message`,
      json: { message: '#NEZHA#', priority: 5 },
      headers: { 'X-Gotify-Key': token },
    }),
}

const feishu: Preset = {
  id: 'feishu',
  name: 'Feishu 飞书 / Lark',
  help: {
    en: 'Add a custom bot to the group and copy its webhook. It answers 200 also when it refuses: look whether the test message has arrived.',
    it: 'Aggiungi un bot personalizzato al gruppo e copiane il webhook. Risponde 200 anche quando rifiuta: verifica che il messaggio di prova sia arrivato.',
    zhCN: '在群中添加自定义机器人并复制其 Webhook 地址。被拒绝时也会返回 200：请确认测试消息已收到。',
    zhTW: '在群組中新增自訂機器人並複製其 Webhook 網址。遭拒絕時也會回傳 200：請確認測試訊息已收到。',
    de: 'Der Gruppe einen eigenen Bot hinzufügen und dessen Webhook kopieren. Er antwortet auch beim Ablehnen mit 200: nachsehen, ob die Testnachricht angekommen ist.',
  },
  questions: {
    url: { answer: webAddress(), label: labels.webhook },
    keyword: { answer: optionalAnswer(), label: labels.keyword, help: keywordHelp },
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msg_type: 'text', content: { text: messageAfter(keyword) } } }),
}

const discord: Preset = {
  id: 'discord',
  name: 'Discord',
  help: {
    en: 'In the settings of the channel, under Integrations, create a webhook and copy its URL. At most 4,096 characters; nobody is mentioned.',
    it: 'Nelle impostazioni del canale, in Integrazioni, crea un webhook e copiane l’URL. Al massimo 4.096 caratteri; nessuno viene menzionato.',
    zhCN: '在频道设置的“整合”中创建 Webhook 并复制其地址。最多 4,096 个字符；不会提及任何人。',
    zhTW: '在頻道設定的「整合」中建立 Webhook 並複製其網址。最多 4,096 個字元；不會提及任何人。',
    de: 'In den Einstellungen des Kanals unter Integrationen einen Webhook erstellen und die URL kopieren. Höchstens 4.096 Zeichen; niemand wird erwähnt.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  // A description may be twice as long as a message, and mentions in it reach nobody.
  fill: ({ url = '' }) => postRequest({ url, json: { embeds: [{ description: '#NEZHA#' }] } }),
}

const dingTalk: Preset = {
  id: 'dingtalk',
  name: 'DingTalk 钉钉',
  help: {
    en: 'Add a custom robot to the group and copy its webhook. It answers 200 also when it refuses: look whether the test message has arrived.',
    it: 'Aggiungi un robot personalizzato al gruppo e copiane il webhook. Risponde 200 anche quando rifiuta: verifica che il messaggio di prova sia arrivato.',
    zhCN: '在群中添加自定义机器人并复制其 Webhook。被拒绝时也会返回 200：请确认测试消息已收到。',
    zhTW: '在群組中新增自訂機器人並複製其 Webhook。遭拒絕時也會回傳 200：請確認測試訊息已收到。',
    de: 'Der Gruppe einen eigenen Roboter hinzufügen und dessen Webhook kopieren. Er antwortet auch beim Ablehnen mit 200: nachsehen, ob die Testnachricht angekommen ist.',
  },
  questions: {
    url: { answer: webAddress(), label: labels.webhook },
    keyword: { answer: optionalAnswer(), label: labels.keyword, help: keywordHelp },
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msgtype: 'text', text: { content: messageAfter(keyword) } } }),
}

/** All presets, in the order in which they are offered. */
export const presets: readonly Preset[] = [
  ...[mail, telegram, slack, discord, teams, mattermost, matrix],
  ...[ntfy, gotify, pushover, bark, pagerDuty],
  ...[dingTalk, feishu, weCom, serverChan, webhook],
]
