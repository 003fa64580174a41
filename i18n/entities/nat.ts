import type { nat as entity } from '../../src/schemas/nat.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const nat = entityTexts<typeof entity>({
  name: {
    en: 'NAT profile',
    it: 'Profilo NAT |||| Profili NAT',
    zhCN: 'NAT 配置',
    zhTW: 'NAT 設定檔',
    de: 'NAT-Profil |||| NAT-Profile',
  },
  menu: { en: 'NAT traversal', it: 'Attraversamento NAT', zhCN: 'NAT 穿透', zhTW: 'NAT 穿透', de: 'NAT-Durchleitung' },
  empty: {
    en: 'NAT profiles make a service in the network of a server reachable under a host name of its own.',
    it: 'I profili NAT rendono raggiungibile con un nome host proprio un servizio nella rete di un server.',
    zhCN: 'NAT 配置让服务器所在网络中的服务可以通过独立的主机名访问。',
    zhTW: 'NAT 設定檔讓伺服器所在網路中的服務可透過獨立的主機名稱存取。',
    de: 'NAT-Profile machen einen Dienst im Netz eines Servers unter einem eigenen Hostnamen erreichbar.',
  },
  fields: {
    enabled: { it: 'Attivo', zhCN: '启用', zhTW: '啟用', de: 'Aktiviert' },
    server_id: { en: 'Server', it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    host: { en: 'Local service', it: 'Servizio locale', zhCN: '本地服务', zhTW: '本機服務', de: 'Lokaler Dienst' },
    domain: {
      en: 'Bind hostname',
      it: 'Nome host associato',
      zhCN: '绑定主机名',
      zhTW: '綁定主機名稱',
      de: 'Gebundener Hostname',
    },
    awaits_release: {
      en: 'Waiting for release',
      it: 'In attesa di approvazione',
      zhCN: '等待放行',
      zhTW: '等待放行',
      de: 'Wartet auf Freigabe',
    },
  },
  actions: {
    release: {
      label: { en: 'Release', it: 'Approva', zhCN: '放行', zhTW: '放行', de: 'Freigeben' },
      confirm: {
        en: 'Release the host name of %{what}? From then on its visitors reach a service that a member has chosen.',
        it: 'Approvare il nome host di %{what}? Da quel momento i visitatori raggiungono un servizio scelto da un utente.',
        zhCN: '放行%{what}的主机名？此后其访问者将到达普通用户所选的服务。',
        zhTW: '放行%{what}的主機名稱？此後其訪客將到達一般使用者所選的服務。',
        de: 'Den Hostnamen von %{what} freigeben? Besucher erreichen dann einen Dienst, den ein Benutzer gewählt hat.',
      },
      done: {
        en: 'The host name is released.',
        it: 'Il nome host è approvato.',
        zhCN: '主机名已放行。',
        zhTW: '主機名稱已放行。',
        de: 'Der Hostname ist freigegeben.',
      },
    },
  },
  help: {
    host: {
      en: 'Host and port as the server reaches them, such as 127.0.0.1:8080.',
      it: 'Host e porta come li raggiunge il server, ad esempio 127.0.0.1:8080.',
      zhCN: '从服务器访问的主机和端口，例如 127.0.0.1:8080。',
      zhTW: '從伺服器連線的主機與連接埠，例如 127.0.0.1:8080。',
      de: 'Host und Port, wie der Server sie erreicht, zum Beispiel 127.0.0.1:8080.',
    },
    domain: {
      en: 'Requests for this host name go to the local service. Point its DNS record at this site.',
      it: 'Le richieste per questo nome host vanno al servizio locale. Il suo record DNS deve puntare a questo sito.',
      zhCN: '发往该主机名的请求会转到本地服务。请将其 DNS 记录指向本站。',
      zhTW: '送往該主機名稱的請求會轉到本機服務。請將其 DNS 記錄指向本站。',
      de: 'Anfragen an diesen Hostnamen gehen an den lokalen Dienst. Sein DNS-Eintrag muss auf diese Website zeigen.',
    },
  },
})
