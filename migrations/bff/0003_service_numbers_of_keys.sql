alter table api_key add column service_number_ids text[];
comment on column api_key.service_number_ids is 'what the key sees; null: every service number';
