# Lets dpa read a subscription of Azure, without a secret: dpa signs a short-lived token, and Microsoft Entra ID exchanges
# it for one of the application. Apply this with an account that can register applications and assign roles.

terraform {
  required_version = ">= 1.5"
  required_providers {
    azuread = {
      source  = "hashicorp/azuread"
      version = ">= 2.47"
    }
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 3.80"
    }
  }
}

variable "subscription_id" {
  type        = string
  description = "ID of the subscription that dpa reads."
}

variable "issuer" {
  type        = string
  description = "Issuer of the tokens that dpa signs, as the setup page shows it."
}

variable "subject" {
  type        = string
  description = "Subject of the tokens that dpa signs for your organization, as the setup page shows it."
}

variable "audience" {
  type        = string
  description = "Audience of the tokens that dpa signs. Sovereign clouds have another one."
  default     = "api://AzureADTokenExchange"
}

resource "azuread_application" "reader" {
  display_name = "dpa: reads the resources of a subscription"
}

resource "azuread_service_principal" "reader" {
  client_id = azuread_application.reader.client_id
}

resource "azuread_application_federated_identity_credential" "dpa" {
  application_id = azuread_application.reader.id
  display_name   = "dpa"
  description    = "Tokens that dpa signs for your organization"
  issuer         = var.issuer
  subject        = var.subject
  audiences      = [var.audience]
}

resource "azurerm_role_assignment" "reader" {
  scope                = "/subscriptions/${var.subscription_id}"
  role_definition_name = "Reader"
  principal_id         = azuread_service_principal.reader.object_id
}

output "tenant_id" {
  description = "Enter this as the tenant ID of the cloud account."
  value       = azuread_service_principal.reader.application_tenant_id
}

output "client_id" {
  description = "Enter this as the client ID of the cloud account."
  value       = azuread_application.reader.client_id
}
