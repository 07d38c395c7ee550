{{- define "outreach-platform.labels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* What all pods of the release have in common; with a component, those of one workload. */}}
{{- define "outreach-platform.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* A workload's name. Workers with a release are a Deployment of their own, beside those of the release before. */}}
{{- define "outreach-platform.workload" -}}
{{- $build := and (eq .part "worker") .root.Values.temporal.buildId -}}
{{- $name := printf "%s-%s" .root.Release.Name .component -}}
{{- if $build -}}
{{- printf "%s-%s" $name ($build | lower | replace "." "-" | replace "_" "-") | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end }}

{{/* What a Deployment's pods have in common, and no other's. */}}
{{- define "outreach-platform.pods" -}}
{{ include "outreach-platform.selector" . }}
{{- if and (eq .part "worker") .root.Values.temporal.buildId }}
outreach-platform/build: {{ .root.Values.temporal.buildId | quote }}
{{- end }}
{{- end }}

{{- define "outreach-platform.image" -}}
{{ required "image.registry must be given" .root.Values.image.registry | trimSuffix "/" }}/{{ .program }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "outreach-platform.ports" -}}
{{- $ports := dict "bff" (dict "http" 4000 "metrics" 9400) "backend" (dict "http" 4001 "metrics" 9401) "orders" (dict "http" 4002 "metrics" 9402) -}}
{{- get $ports . | toYaml -}}
{{- end }}

{{- define "outreach-platform.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "outreach-platform.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Every setting that is no secret, by name. */}}
{{- define "outreach-platform.settings" -}}
HOST: 0.0.0.0
METRICS_HOST: 0.0.0.0
# Between the pods alone: the network policies let nobody else in.
BACKEND_URL: http://{{ .Release.Name }}-backend:4001
ORDERS_URL: http://{{ .Release.Name }}-orders:4002
BFF_URL: http://{{ .Release.Name }}-bff:4000
INTERNAL_HTTP: allow
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | toString | required (printf "settings.%s must be given" $name) | quote }}
{{- end }}
{{- if .Values.authoritiesConfigMapName }}
NODE_EXTRA_CA_CERTS: /etc/authorities/ca.crt
{{- end }}
{{- end }}

{{/* Temporal's address, and where its certificates are mounted. */}}
{{- define "outreach-platform.temporal" -}}
- { name: TEMPORAL_ADDRESS, value: {{ required "temporal.address must be given" .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- with .Values.temporal.buildId }}
- { name: TEMPORAL_BUILD_ID, value: {{ . | quote }} }
{{- end }}
{{- if .Values.temporal.tls.secretName }}
- { name: TEMPORAL_TLS_CERT, value: /etc/temporal/tls.crt }
- { name: TEMPORAL_TLS_KEY, value: /etc/temporal/tls.key }
{{- if .Values.temporal.tls.ca }}
- { name: TEMPORAL_TLS_CA, value: /etc/temporal/ca.crt }
{{- end }}
{{- end }}
{{- end }}

{{/* One key of a Secret, as the variable of that name. */}}
{{- define "outreach-platform.secret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end }}

{{/* A program's own secrets. Without some of them it does less, or uses the other of two. */}}
{{- define "outreach-platform.secrets" -}}
{{- $required := dict "bff" (list "INTERNAL_API_SECRET" "PLATFORM_APP_SECRET" "IDENTITY_CLIENT_SECRET") "backend" (list "INTERNAL_API_SECRET") "orders" (list "INTERNAL_API_SECRET" "PAYMENT_GATEWAY_KEY" "PAYMENT_GATEWAY_WEBHOOK_SECRET") -}}
{{- $keys := list "ENCRYPTION_KEY" "ENCRYPTION_KEYS" -}}
{{- $own := dict "bff" (append $keys "FILES_TOKEN") "backend" (concat $keys (list "CLICK_TOKEN_SECRET" "AI_API_KEY")) "orders" (append $keys "CLICK_TOKEN_SECRET") "reencrypt" $keys -}}
{{- $optional := concat (get $own .program | default list) (list "TEMPORAL_API_KEY" "TEMPORAL_PAYLOAD_KEYS" "OTEL_EXPORTER_OTLP_HEADERS") -}}
{{- $secret := .root.Values.secretName -}}
{{- range get $required .program | default list }}
{{ include "outreach-platform.secret" (dict "name" . "secret" $secret) }}
{{- end }}
{{- range $optional }}
{{ include "outreach-platform.secret" (dict "name" . "secret" $secret "optional" true) }}
{{- end }}
{{- end }}

{{/* Of what the Prometheus Operator reads. */}}
{{- define "outreach-platform.monitoringLabels" -}}
{{ include "outreach-platform.labels" (dict "root" .) }}
{{- with .Values.monitoring.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "outreach-platform.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default .Release.Name -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end }}

{{/* What every pod mounts, apart from what it writes to. */}}
{{- define "outreach-platform.mounts" -}}
{{- if .Values.temporal.tls.secretName }}
- { name: temporal, mountPath: /etc/temporal, readOnly: true }
{{- end }}
{{- if .Values.authoritiesConfigMapName }}
- { name: authorities, mountPath: /etc/authorities, readOnly: true }
{{- end }}
{{- with .Values.pods.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "outreach-platform.volumes" -}}
{{- with .Values.temporal.tls.secretName }}
- name: temporal
  secret: { secretName: {{ . }} }
{{- end }}
{{- with .Values.authoritiesConfigMapName }}
- name: authorities
  configMap: { name: {{ . }} }
{{- end }}
{{- with .Values.pods.volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Hosts and paths that the public reaches: the order service's internal interface is not among them. */}}
{{- define "outreach-platform.public" -}}
bff: { host: {{ (urlParse .Values.settings.PUBLIC_BFF_URL).host | quote }}, paths: [/] }
orders:
  host: {{ (urlParse .Values.settings.PUBLIC_ORDERS_URL).host | quote }}
  paths: [/transaction, /docs, /openapi.json]
{{- end }}

{{/* How many connections to PostgreSQL a process may open: those of its pools, and one on which the BFF listens. */}}
{{- define "outreach-platform.connections" -}}
bff: 11
backend: 48
orders: 24
{{- end }}
