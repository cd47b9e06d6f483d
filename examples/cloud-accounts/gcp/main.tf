# Lets dpa read a project of Google Cloud, without a key: dpa signs a short-lived token, and Google Cloud exchanges it
# for one of the service account. Apply this with an account that can manage IAM in the project.

terraform {
  required_version = ">= 1.5"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 5.0"
    }
  }
}

variable "project_id" {
  type        = string
  description = "ID of the project that dpa reads."
}

variable "issuer" {
  type        = string
  description = "Issuer of the tokens that dpa signs, as the setup page shows it."
}

variable "subject" {
  type        = string
  description = "Subject of the tokens that dpa signs for your organization, as the setup page shows it."
}

variable "custom_role" {
  type        = bool
  description = "Grants the exact permissions with a custom role, instead of the predefined roles."
  default     = false
}

locals {
  apis = [
    "cloudasset.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "iam.googleapis.com",
    "iamcredentials.googleapis.com",
    "sts.googleapis.com",
  ]
  permissions = [
    "cloudasset.assets.searchAllResources",
    "resourcemanager.projects.get",
  ]
  predefined_roles = [
    "roles/cloudasset.viewer",
    "roles/viewer",
  ]
}

resource "google_project_service" "api" {
  for_each = toset(local.apis)

  project            = var.project_id
  service            = each.value
  disable_on_destroy = false
}

resource "google_service_account" "reader" {
  project      = var.project_id
  account_id   = "dpa-reader"
  display_name = "dpa: reads the resources of this project"
}

resource "google_project_iam_custom_role" "reader" {
  count = var.custom_role ? 1 : 0

  project     = var.project_id
  role_id     = "dpaReader"
  title       = "dpa reader"
  permissions = local.permissions
}

resource "google_project_iam_member" "custom" {
  count = var.custom_role ? 1 : 0

  project = var.project_id
  role    = google_project_iam_custom_role.reader[0].id
  member  = google_service_account.reader.member
}

resource "google_project_iam_member" "predefined" {
  for_each = var.custom_role ? toset([]) : toset(local.predefined_roles)

  project = var.project_id
  role    = each.value
  member  = google_service_account.reader.member
}

resource "google_iam_workload_identity_pool" "dpa" {
  project                   = var.project_id
  workload_identity_pool_id = "dpa-pool"
  display_name              = "dpa"

  depends_on = [google_project_service.api]
}

resource "google_iam_workload_identity_pool_provider" "dpa" {
  project                            = var.project_id
  workload_identity_pool_id          = google_iam_workload_identity_pool.dpa.workload_identity_pool_id
  workload_identity_pool_provider_id = "dpa-main"
  attribute_mapping                  = { "google.subject" = "assertion.sub" }
  # Only tokens for your organization are accepted.
  attribute_condition = "assertion.sub == '${var.subject}'"

  oidc {
    issuer_uri = var.issuer
  }
}

resource "google_service_account_iam_member" "dpa" {
  service_account_id = google_service_account.reader.name
  role               = "roles/iam.workloadIdentityUser"
  member             = "principal://iam.googleapis.com/${google_iam_workload_identity_pool.dpa.name}/subject/${var.subject}"
}

output "audience" {
  description = "Enter this as the audience of the cloud account."
  value       = "//iam.googleapis.com/${google_iam_workload_identity_pool_provider.dpa.name}"
}

output "service_account_email" {
  description = "Enter this as the email of the service account."
  value       = google_service_account.reader.email
}
