import { answer, base, labels, optionalSecret, type Preset, postRequest, webAddress } from './preset.ts'

export const ntfy: Preset = {
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
