import type { ProxyConfigName } from './checks/checkResult.ts'

interface ProxyConfig {
  nginx: string
  caddy: string
}

/** Configuration lines for the two most common proxies, ready to be copied; 8008 is the servers' default port. */
export const proxyConfigs: Readonly<Record<ProxyConfigName, ProxyConfig>> = {
  proxy: {
    nginx: `location / {
    proxy_pass http://127.0.0.1:8008;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Real-IP $remote_addr;
    client_max_body_size 0;
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
    }
}`,
  },
  sockets: {
    nginx: `location /api/v1/ws/ {
    proxy_pass http://127.0.0.1:8008;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection "upgrade";
    proxy_set_header Origin $http_origin;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_read_timeout 3600s;
    proxy_send_timeout 3600s;
    proxy_buffering off;
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
        flush_interval -1
    }
}`,
  },
  address: {
    nginx: 'proxy_set_header X-Real-IP $remote_addr;',
    caddy: 'header_up X-Real-IP {remote_host}',
  },
  tls: {
    nginx: `server {
    listen 443 ssl;
    server_name monitor.example.org;
    ssl_certificate     /etc/ssl/monitor.example.org/fullchain.pem;
    ssl_certificate_key /etc/ssl/monitor.example.org/privkey.pem;
    location / {
        proxy_pass http://127.0.0.1:8008;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection "upgrade";
        proxy_read_timeout 3600s;
        client_max_body_size 0;
    }
}`,
    caddy: `monitor.example.org {
    reverse_proxy 127.0.0.1:8008 {
        header_up X-Real-IP {remote_host}
    }
}`,
  },
}
