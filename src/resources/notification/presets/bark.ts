import { base, labels, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const bark: Preset = {
  id: 'bark',
  name: 'Bark',
  help: {
    en: 'The app shows a test address such as https://api.day.app/yourkey: its first part is the server, the rest is the key.',
    it: 'L’app mostra un indirizzo di prova come https://api.day.app/yourkey: la prima parte è il server, il resto la chiave.',
    zhCN: 'App 中会显示形如 https://api.day.app/yourkey 的测试地址：前半部分是服务器，其余是密钥。',
    zhTW: 'App 中會顯示形如 https://api.day.app/yourkey 的測試網址：前半部分是伺服器，其餘是金鑰。',
    de: 'Die App zeigt eine Testadresse wie https://api.day.app/yourkey: Vorne steht der Server, dahinter der Schlüssel.',
  },
  questions: {
    server: { answer: webAddress('https://api.day.app'), label: labels.server },
    key: {
      answer: secretAnswer(),
      label: {
        en: 'Device key',
        it: 'Chiave del dispositivo',
        zhCN: '设备密钥',
        zhTW: '裝置金鑰',
        de: 'Geräteschlüssel',
      },
    },
  },
  fill: ({ server, key }) =>
    postRequest({
      url: `${base(server)}/push`,
      json: { device_key: key, body: '#NEZHA#', group: 'Wheelhouse' },
    }),
}
